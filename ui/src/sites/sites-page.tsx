import { createSignal, Show } from 'solid-js'
import { createIsOwner } from '../api/owner.ts'
import { createPolling } from '../api/polling.ts'
import { ApiError } from '../api/request.ts'
import { deleteSite, listSites } from '../api/sites.ts'
import type { Site } from '../api/types.ts'
import { announce } from '../base/announcer.tsx'
import { Button } from '../base/button.tsx'
import { ConfirmDialog } from '../base/confirm-dialog.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { ListSection } from '../base/list-section.tsx'
import { PageHeader } from '../base/page.tsx'
import { SiteDialog } from './site-dialog.tsx'
import { SiteRow } from './site-row.tsx'

/** The page of sites: saved logins, with which archives reach sources that want one. */
export function SitesPage() {
  const sites = createPolling(listSites, () => REFRESH_MS)
  const isOwner = createIsOwner()
  /** What the dialog edits. An object of its own for each opening. */
  const [edited, setEdited] = createSignal<{ readonly site: Site | undefined }>()
  const [siteToDelete, setSiteToDelete] = createSignal<Site>()

  const onSaved = (site: Site) => {
    announce(`${site.name} saved`)
    sites.refresh()
  }
  async function remove() {
    const site = siteToDelete()
    if (site === undefined) return
    try {
      await deleteSite(site.id)
    } catch (error) {
      // If it was deleted elsewhere in the meantime, the result is the desired one.
      if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) throw error
    }
    announce(`${site.name} deleted`)
    setSiteToDelete(undefined)
    sites.refresh()
  }

  return (
    <>
      <PageHeader
        title="Sites"
        lead="Save the login for a source that needs one. Your archives use it there, and nowhere else."
      >
        <Button variant="primary" onClick={() => setEdited({ site: undefined })}>
          Add site
        </Button>
      </PageHeader>
      <ListSection
        title="Saved logins"
        source={sites}
        empty={
          <EmptyState
            title="No sites yet"
            text="Add one for files behind a password, a token or a cookie. What you save is never shown again."
          />
        }
        aside={
          <a href="/docs/using-holdall#sites" hreflang="en" target="_blank" rel="noopener">
            How it works
          </a>
        }
      >
        {(site) => (
          <SiteRow site={site} onEdit={(own) => setEdited({ site: own })} onDelete={setSiteToDelete} />
        )}
      </ListSection>
      <Show keyed when={edited()}>
        {({ site }) => (
          <SiteDialog
            site={site}
            mayShare={isOwner()}
            onSaved={onSaved}
            onClose={() => setEdited(undefined)}
          />
        )}
      </Show>
      <ConfirmDialog
        open={siteToDelete() !== undefined}
        title={`Delete ${siteToDelete()?.name ?? 'site'}?`}
        action="Delete site"
        busyAction="Deleting…"
        onConfirm={remove}
        onClose={() => setSiteToDelete(undefined)}
      >
        <p>
          {siteToDelete()?.shared
            ? 'The archives of all users will reach it without a login. '
            : 'Your archives will reach it without a login. '}
          This can’t be undone.
        </p>
      </ConfirmDialog>
    </>
  )
}

/** Shows soon when a source has refused a login. */
const REFRESH_MS = 10_000
