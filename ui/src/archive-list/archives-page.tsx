import { useLocation, useSearchParams } from '@solidjs/router'
import Plus from 'lucide-solid/icons/plus'
import { createMemo, Show } from 'solid-js'
import type { JobCounts, JobListItem, JobStatus } from '../api/types.ts'
import { Button, ButtonLink } from '../base/button.tsx'
import { onVisible } from '../base/on-visible.ts'
import { PageHeader } from '../base/page.tsx'
import { pendingDeletions } from './archive-actions.ts'
import { ArchiveList } from './archive-list.tsx'
import styles from './archives-page.module.css'
import { createJobCounts } from './job-counts.ts'
import { createLiveList, type LiveList } from './live-list.ts'
import { NoArchives } from './no-archives.tsx'
import { FILTERS, StatusFilter } from './status-filter.tsx'

const PAGE_SIZE = 25
const PATH = /^\/archives\/?$/

/** All archives or those of one status, newest first. Scrolling down loads more. */
export function ArchivesPage() {
  const [query] = useSearchParams<{ status: string }>()
  const location = useLocation()
  // While the user leaves the page, the query is already that of the next one.
  const status = createMemo<JobStatus | undefined>((current) => {
    if (!PATH.test(location.pathname)) return current
    return FILTERS.find(({ status }) => status === query.status)?.status
  })
  const { counts, refresh } = createJobCounts()
  const list = createLiveList({ status, pageSize: PAGE_SIZE, onCountsChanged: refresh })
  const shownCounts = createMemo(() => {
    const loaded = counts()
    return loaded && withoutJobs(loaded, list.jobs()?.filter(({ id }) => pendingDeletions().has(id)) ?? [])
  })
  return (
    <>
      <PageHeader title="Archives">
        <ButtonLink href="/" variant="primary">
          <Plus size={18} aria-hidden="true" />
          New archive
        </ButtonLink>
      </PageHeader>
      <StatusFilter status={status()} counts={shownCounts()} />
      <ArchiveList list={list} empty={<NoArchives status={status()} />} />
      <Show when={list.hasMore()}>
        <ShowMore list={list} />
      </Show>
    </>
  )
}

/** Subtracts jobs that are hidden because their deletion can still be undone. */
function withoutJobs(counts: JobCounts, jobs: readonly JobListItem[]): JobCounts {
  const remaining = { ...counts }
  for (const { status } of jobs) {
    remaining[status] -= 1
    remaining.total -= 1
  }
  return remaining
}

/** A button that loads the next page when it is pressed or scrolled into view. */
function ShowMore(props: { list: LiveList }) {
  const loadOnVisible = (element: HTMLElement) =>
    onVisible(
      element,
      () => [props.list.jobs()?.length, props.list.isLoading()],
      () => props.list.loadMore(),
    )
  return (
    <div class={styles.more} ref={loadOnVisible}>
      {/* Not `disabled` while loading: a disabled button loses the focus, and keyboard users press it repeatedly. */}
      <Button aria-disabled={props.list.isLoading()} onClick={() => props.list.loadMore()}>
        Show more
      </Button>
    </div>
  )
}
