import { useLocation, useNavigate } from '@solidjs/router'
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
import { sitesCopy } from '../language/english/sites.ts'
import { SiteDialog } from './site-dialog.tsx'
import { SiteRow } from './site-row.tsx'

/** The page of sites: saved logins, with which archives reach sources that want one. */
export function SitesPage() {
  const navigate = useNavigate()
  // Not in the address, which anybody can write.
  const location = useLocation<{ address?: string }>()
  const sites = createPolling(listSites, () => REFRESH_MS)
  const isOwner = createIsOwner()
  /** What the dialog edits. An object of its own for each opening. */
  const [edited, setEdited] = createSignal<Edited | undefined>(newSiteAt(location.state?.address))
  const [siteToDelete, setSiteToDelete] = createSignal<Site>()

  const onSaved = (site: Site) => {
    announce(sitesCopy.siteSaved(site.name))
    // Back to the links that want it.
    if (edited()?.address !== undefined) navigate('/')
    else sites.refresh()
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
    announce(sitesCopy.siteDeleted(site.name))
    setSiteToDelete(undefined)
    sites.refresh()
  }

  return (
    <>
      <PageHeader title={sitesCopy.title} lead={sitesCopy.lead}>
        <Button variant="primary" onClick={() => setEdited({ site: undefined })}>
          {sitesCopy.add}
        </Button>
      </PageHeader>
      <ListSection
        title={sitesCopy.saved}
        source={sites}
        empty={<EmptyState title={sitesCopy.none} text={sitesCopy.noneText} />}
        aside={
          <a href="/docs/using-holdall#sites" hreflang="en" target="_blank" rel="noopener">
            {sitesCopy.howItWorks}
          </a>
        }
      >
        {(site) => (
          <SiteRow site={site} onEdit={(own) => setEdited({ site: own })} onDelete={setSiteToDelete} />
        )}
      </ListSection>
      <Show keyed when={edited()}>
        {({ site, address }) => (
          <SiteDialog
            site={site}
            address={address}
            mayShare={isOwner()}
            onSaved={onSaved}
            onClose={() => setEdited(undefined)}
          />
        )}
      </Show>
      <ConfirmDialog
        open={siteToDelete() !== undefined}
        title={sitesCopy.deleting.title(siteToDelete()?.name ?? '')}
        action={sitesCopy.deleting.action}
        busyAction={sitesCopy.deleting.busy}
        onConfirm={remove}
        onClose={() => setSiteToDelete(undefined)}
      >
        <p>{siteToDelete()?.shared ? sitesCopy.deleting.shared : sitesCopy.deleting.own}</p>
      </ConfirmDialog>
    </>
  )
}

interface Edited {
  readonly site: Site | undefined
  /** Of a new site that another page has asked for. */
  readonly address?: string
}

function newSiteAt(address: string | undefined): Edited | undefined {
  return address === undefined ? undefined : { site: undefined, address }
}

/** Shows soon when a source has refused a login. */
const REFRESH_MS = 10_000
