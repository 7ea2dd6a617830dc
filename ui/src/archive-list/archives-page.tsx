import { useSearchParams } from '@solidjs/router'
import Plus from 'lucide-solid/icons/plus'
import { createMemo, Show } from 'solid-js'
import type { JobCounts, JobListItem } from '../api/types.ts'
import { Button, ButtonLink } from '../base/button.tsx'
import { PageHead } from '../base/page.tsx'
import { whenSeen } from '../base/when-seen.ts'
import { leaving } from './actions.ts'
import { ArchiveList } from './archive-list.tsx'
import styles from './archives-page.module.css'
import { createJobCounts } from './job-counts.ts'
import { createLiveList, type LiveList } from './live-list.ts'
import { NoArchives } from './no-archives.tsx'
import { FILTERS, StatusFilter } from './status-filter.tsx'

const PAGE_SIZE = 25

/** All archives, newest first, or those of one status; more of them as one scrolls. */
export function ArchivesPage() {
  const [query] = useSearchParams<{ status: string }>()
  const status = createMemo(() => FILTERS.find(({ status }) => status === query.status)?.status)
  const { counts, refresh } = createJobCounts()
  const list = createLiveList({ status, pageSize: PAGE_SIZE, onCountsChanged: refresh })
  const shownCounts = createMemo(() => {
    const shown = counts()
    return shown && withoutThose(shown, list.jobs()?.filter(({ id }) => leaving().has(id)) ?? [])
  })
  return (
    <>
      <PageHead title="Archives">
        <ButtonLink href="/" variant="primary">
          <Plus size={18} aria-hidden="true" />
          New archive
        </ButtonLink>
      </PageHead>
      <StatusFilter status={status()} counts={shownCounts()} />
      <ArchiveList list={list} empty={<NoArchives status={status()} />} />
      <Show when={list.hasMore()}>
        <More list={list} />
      </Show>
    </>
  )
}

/** The counts without jobs that were deleted a moment ago, which are not shown either. */
function withoutThose(counts: JobCounts, jobs: readonly JobListItem[]): JobCounts {
  const rest = { ...counts }
  for (const { status } of jobs) {
    rest[status] -= 1
    rest.total -= 1
  }
  return rest
}

/** Brings the next page when it comes into sight, or when it is pressed. */
function More(props: { list: LiveList }) {
  const watch = (place: HTMLElement) =>
    whenSeen(
      place,
      () => props.list.jobs()?.length,
      () => void props.list.loadMore(),
    )
  return (
    <div class={styles.more} ref={watch}>
      {/* Not disabled while it loads: it would lose the focus of who goes on pressing it. */}
      <Button aria-disabled={props.list.isLoadingMore()} onClick={() => void props.list.loadMore()}>
        Show more
      </Button>
    </div>
  )
}
