import { useParams } from '@solidjs/router'
import { Match, Show, Switch } from 'solid-js'
import { Alert } from '../base/alert.tsx'
import { BackLink } from '../base/back-link.tsx'
import { Button, ButtonLink } from '../base/button.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { useDocumentTitle } from '../base/page.tsx'
import styles from './archive-page.module.css'
import { ArchiveView } from './archive-view.tsx'
import { createLiveArchive } from './live-archive.ts'

/** The page of one archive, from its creation until its expiry. */
export function ArchivePage() {
  const params = useParams<{ id: string }>()
  return (
    <>
      <BackLink href="/archives">Archives</BackLink>
      <Show when={params.id} keyed>
        {(id) => <ArchiveLoader id={id} />}
      </Show>
    </>
  )
}

function ArchiveLoader(props: { id: string }) {
  const live = createLiveArchive(props.id)
  return (
    <Switch fallback={<Skeleton />}>
      <Match when={live.error()?.code === 'NOT_FOUND'}>
        <NotFound />
      </Match>
      <Match when={live.job()}>{(job) => <ArchiveView job={job()} live={live} />}</Match>
      <Match when={live.error()}>
        {(error) => (
          <div class={styles.error}>
            <Alert>{error().message}</Alert>
            <Button onClick={live.refresh}>Try again</Button>
          </div>
        )}
      </Match>
    </Switch>
  )
}

function NotFound() {
  useDocumentTitle(() => 'Archive not found')
  return (
    <EmptyState
      isPage
      title="Archive not found"
      text="It may have been deleted, or may belong to another user."
    >
      <ButtonLink href="/archives">See your archives</ButtonLink>
    </EmptyState>
  )
}

/** A placeholder with the layout of the page. */
function Skeleton() {
  useDocumentTitle(() => 'Archive')
  return (
    <>
      <h1 class="visually-hidden">Archive</h1>
      <div class={styles.skeletonTitle} />
      <div class={styles.skeletonPanel} />
    </>
  )
}
