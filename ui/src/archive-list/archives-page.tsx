import { useLocation, useSearchParams } from '@solidjs/router'
import Plus from 'lucide-solid/icons/plus'
import { createMemo, Show } from 'solid-js'
import type { JobCounts, JobListItem } from '../api/types.ts'
import { Button } from '../base/button.tsx'
import { ButtonLink } from '../base/button-link.tsx'
import { onVisible } from '../base/on-visible.ts'
import { PageHeader } from '../base/page.tsx'
import { ShowMore } from '../base/show-more.tsx'
import { archiveListCopy } from '../language/english/archive-list.ts'
import { pendingDeletions } from './archive-actions.ts'
import { ArchiveList } from './archive-list.tsx'
import { ArchiveSearch } from './archive-search.tsx'
import styles from './archives-page.module.css'
import { createJobCounts } from './job-counts.ts'
import { createLiveList, type ListQuery } from './live-list.ts'
import { NoArchives } from './no-archives.tsx'
import { moveThroughRows } from './row-shortcuts.ts'
import { createArchiveSelection } from './selection.ts'
import { ArchiveSelectionBar } from './selection-bar.tsx'
import { FILTERS, StatusFilter } from './status-filter.tsx'

/** All archives, or those that pass a filter and a search, newest first. Scrolling down loads more. */
export function ArchivesPage() {
  const [params, setParams] = useSearchParams<{ status: string; search: string }>()
  const location = useLocation()
  // While the user leaves the page, the query is already that of the next one.
  const query = createMemo<ListQuery>(
    (current) => {
      if (!PATH.test(location.pathname)) return current
      const filter = FILTERS.find(({ filter }) => filter === params.status)?.filter
      return { filter, search: params.search ?? '' }
    },
    { filter: undefined, search: '' },
    { equals: (a, b) => a.filter === b.filter && a.search === b.search },
  )
  const { counts, refresh } = createJobCounts()
  const list = createLiveList({ query, pageSize: PAGE_SIZE, onCountsChanged: refresh })
  const shownCounts = createMemo(() => {
    const loaded = counts()
    return loaded && withoutJobs(loaded, list.jobs()?.filter(({ id }) => pendingDeletions().has(id)) ?? [])
  })
  const selection = createArchiveSelection(() => list.jobs()?.filter(({ id }) => !pendingDeletions().has(id)))
  const search = (text: string) =>
    setParams({ search: text === '' ? undefined : text }, { replace: true, scroll: false })
  const listRef = moveThroughRows(selection)
  const loadWhenVisible = (element: HTMLElement) =>
    onVisible(element, () => [list.jobs()?.length, list.isLoading()], list.loadMore)
  return (
    <div data-wide="">
      <PageHeader title={archiveListCopy.title}>
        <ButtonLink href="/" variant="primary">
          <Plus size={18} aria-hidden="true" />
          {archiveListCopy.newArchive}
        </ButtonLink>
      </PageHeader>
      <div class={styles.tools}>
        <ArchiveSearch text={query().search} onText={search} />
        <Button
          aria-pressed={selection.isOn()}
          onClick={() => (selection.isOn() ? selection.end() : selection.begin())}
        >
          {archiveListCopy.select}
        </Button>
      </div>
      <StatusFilter filter={query().filter} search={query().search} counts={shownCounts()} />
      <div ref={listRef}>
        <ArchiveList
          list={list}
          selection={selection}
          empty={
            <NoArchives filter={query().filter} search={query().search} onClearSearch={() => search('')} />
          }
        />
      </div>
      <Show when={list.hasMore()}>
        <ShowMore ref={loadWhenVisible} isLoading={list.isLoading()} onShowMore={list.loadMore} />
      </Show>
      <Show when={selection.isOn()}>
        <ArchiveSelectionBar selection={selection} />
      </Show>
    </div>
  )
}

/** Subtracts jobs that are hidden because their deletion can still be undone. */
function withoutJobs(counts: JobCounts, jobs: readonly JobListItem[]): JobCounts {
  const remaining = { ...counts }
  for (const { status, failure } of jobs) {
    remaining[status] -= 1
    remaining.total -= 1
    if (failure?.code === 'CANCELLED') remaining.cancelled -= 1
  }
  return remaining
}

/** More than fit on a screen, so that the next page loads by scrolling. */
const PAGE_SIZE = 25
/** The paths of this page. */
const PATH = /^\/archives\/?$/
