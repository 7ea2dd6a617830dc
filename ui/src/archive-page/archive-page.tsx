// ui/decisions/one-page.md says why the start page and the page of an archive are one.

import { useNavigate, useParams } from '@solidjs/router'
import { createEffect, createMemo, createSignal, Match, on, onMount, Show, Switch, untrack } from 'solid-js'
import { getJob } from '../api/jobs.ts'
import type { Job } from '../api/types.ts'
import { Alert } from '../base/alert.tsx'
import { Button } from '../base/button.tsx'
import { ButtonLink } from '../base/button-link.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { lazyPage } from '../base/lazy-page.ts'
import { messageOf } from '../base/message.ts'
import { MessageText } from '../base/message-text.tsx'
import { useDocumentTitle } from '../base/page.tsx'
import { archivePageCopy } from '../language/english/archive-page.ts'
import { baseCopy } from '../language/english/base.ts'
import { createPageMap, loadArchiveMap, type PageMap } from '../map/page-map.tsx'
import { draftDuplicates, draftLinks, replaceDraft } from '../new-archive/draft.ts'
import { draftEntries } from '../new-archive/draft-entries.ts'
import { HomePage } from '../new-archive/home-page.tsx'
import styles from './archive-page.module.css'
import { createLiveArchive, type LiveArchive } from './live-archive.ts'

// A new archive needs it only when it is packed.
const loadArchiveView = async () => (await import('./archive-view.tsx')).ArchiveView
const ArchiveView = lazyPage(loadArchiveView, Skeleton)

/**
 * The page of one archive, from its first link until its expiry. Without an id it collects the links of a new one. When that is
 * packed, the address changes, and its map stays where it is and fills.
 */
export function ArchivePage() {
  const params = useParams<{ id?: string }>()
  const navigate = useNavigate()
  /** The archive that was created on this page. */
  const [packed, setPacked] = createSignal<Job>()
  const live = createMemo(() => {
    const { id } = params
    if (id === undefined) return null
    const job = untrack(packed)
    return createLiveArchive(id, job?.id === id ? job : undefined)
  })
  const files = createMemo(() => {
    const archive = live()
    if (archive === null) return draftEntries(draftLinks(), draftDuplicates())
    const job = archive.job()
    return { entries: archive.entries, count: job?.url_count ?? 0, isReady: job?.status === 'completed' }
  })
  const map = createPageMap(files)

  async function show(id: string) {
    const ready = Promise.all([getJob(id), loadArchiveView(), loadArchiveMap()])
    // If the connection is lost now, the page of the archive waits for it.
    setPacked(await ready.then(([job]) => job).catch(() => undefined))
    map.highlight(null)
    navigate(`/archives/${id}`, { scroll: false })
  }

  // Clears the draft only when its archive is shown, so that the files are on the page all the time.
  createEffect(
    on(
      () => params.id,
      (id) => {
        if (id === undefined || id !== packed()?.id) return
        setPacked(undefined)
        replaceDraft([])
      },
    ),
  )

  return (
    <div data-wide="">
      <Show when={live()} keyed fallback={<HomePage map={map} onPacked={show} />}>
        {(live) => <LoadedArchive live={live} map={map} />}
      </Show>
    </div>
  )
}

function LoadedArchive(props: { live: LiveArchive; map: PageMap }) {
  const isNew = untrack(() => props.live.job() !== undefined)
  // With the job, not after it. If this fails, the view loads it again when it is shown.
  onMount(() => void loadArchiveView().catch(() => {}))
  return (
    <Switch fallback={<Skeleton />}>
      <Match when={props.live.error()?.code === 'NOT_FOUND'}>
        <NotFound />
      </Match>
      <Match when={props.live.job()}>
        {(job) => <ArchiveView job={job()} live={props.live} map={props.map} isNew={isNew} />}
      </Match>
      <Match when={props.live.error()}>
        {(error) => (
          <div class={styles.error}>
            <Alert>
              <MessageText message={messageOf(error())} />
            </Alert>
            <Button onClick={props.live.refresh}>{baseCopy.tryAgain}</Button>
          </div>
        )}
      </Match>
    </Switch>
  )
}

function NotFound() {
  useDocumentTitle(() => archivePageCopy.notFound)
  return (
    <EmptyState isPage title={archivePageCopy.notFound} text={archivePageCopy.notFoundText}>
      <ButtonLink href="/archives">{archivePageCopy.seeArchives}</ButtonLink>
    </EmptyState>
  )
}

/** A placeholder with the layout of the page. */
function Skeleton() {
  useDocumentTitle(() => archivePageCopy.title)
  return (
    <>
      <h1 class="visually-hidden">{archivePageCopy.title}</h1>
      <div class={styles.skeletonTitle} />
      <div class={styles.skeletonPanel} />
    </>
  )
}
