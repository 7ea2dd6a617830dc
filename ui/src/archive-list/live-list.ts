import { type Accessor, createEffect, createSignal, on, onCleanup, onMount } from 'solid-js'
import { createStore, reconcile } from 'solid-js/store'
import { followJobs } from '../api/job-events.ts'
import { listJobs } from '../api/jobs.ts'
import { ApiError } from '../api/request.ts'
import type { JobListItem, JobStatus } from '../api/types.ts'
import { changesCounts, type JobChange, type ListedJobs, withChange, withPage } from './listed-jobs.ts'

export interface LiveList {
  /** Newest first; undefined until the first answer. A store, in which only what differs changes. */
  jobs(): readonly JobListItem[] | undefined
  hasMore(): boolean
  isLoadingMore(): boolean
  loadMore(): Promise<void>
  /** Why the last question was not answered, null when it was. */
  error(): ApiError | null
  reload(): void
}

export interface LiveListOptions {
  /** Lists only these; undefined for all. */
  readonly status: Accessor<JobStatus | undefined>
  readonly pageSize: number
  /** Jobs came, went or moved on: there may be other numbers of them. */
  readonly onCountsChanged?: () => void
}

/** The caller's jobs, kept up to date by one stream while the owner lives. */
export function createLiveList({ status, pageSize, onCountsChanged }: LiveListOptions): LiveList {
  const [state, setState] = createStore<{ listed?: ListedJobs }>({})
  const [error, setError] = createSignal<ApiError | null>(null)
  const [isLoadingMore, setLoadingMore] = createSignal(false)
  const lifetime = new AbortController()
  let loading = new AbortController()
  /** What came while a page was asked for, which it may not know of; null while none is. */
  let changes: JobChange[] | null = null

  const show = (listed: ListedJobs) =>
    setState('listed', reconcile<ListedJobs | undefined, ListedJobs | undefined>(listed))

  async function load(wanted: number, cursor: string | null, join: (page: ListedJobs) => ListedJobs) {
    loading.abort()
    loading = new AbortController()
    const { signal } = loading
    const missed: JobChange[] = []
    changes = missed
    try {
      const page = await listJobs({ wanted, cursor, status: status() }, signal)
      if (signal.aborted) return
      show(missed.reduce((listed, change) => withChange(listed, change, status()), join(page)))
      setError(null)
    } catch (cause) {
      if (!signal.aborted)
        setError(cause instanceof ApiError ? cause : new ApiError('UNREADABLE', String(cause)))
    } finally {
      if (changes === missed) changes = null
    }
  }

  const reload = () => {
    setLoadingMore(false)
    onCountsChanged?.()
    return load(Math.max(pageSize, state.listed?.jobs.length ?? 0), null, (page) => page)
  }

  async function loadMore() {
    const cursor = state.listed?.nextCursor
    if (cursor == null || isLoadingMore()) return
    setLoadingMore(true)
    await load(pageSize, cursor, (page) => (state.listed ? withPage(state.listed, page) : page))
    setLoadingMore(false)
  }

  function apply(change: JobChange) {
    changes?.push(change)
    if (!state.listed) return
    if (changesCounts(state.listed, change)) onCountsChanged?.()
    show(withChange(state.listed, change, status()))
  }

  onMount(() => {
    followJobs(
      {
        opened: () => void reload(),
        on: { job: (job) => apply({ job }), deleted: ({ id }) => apply({ deleted: id }) },
        // Without a stream, each attempt to open one brings the list up to date all the same.
        failed: (error) => (error.code === 'UNREACHABLE' ? setError(error) : void reload()),
      },
      lifetime.signal,
    )
  })
  createEffect(on(status, () => void load(pageSize, null, (page) => page), { defer: true }))
  onCleanup(() => {
    lifetime.abort()
    loading.abort()
  })

  return {
    jobs: () => state.listed?.jobs,
    hasMore: () => state.listed?.nextCursor != null,
    isLoadingMore,
    loadMore,
    error,
    reload: () => void reload(),
  }
}
