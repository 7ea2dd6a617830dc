import { type Accessor, createEffect, createRoot, createSignal, on, onCleanup, onMount } from 'solid-js'
import { createStore, reconcile, unwrap } from 'solid-js/store'
import { subscribeToJobs } from '../api/job-events.ts'
import { listJobs } from '../api/jobs.ts'
import { type ApiError, toApiError } from '../api/request.ts'
import type { JobFilter, JobListItem } from '../api/types.ts'
import { STOPPED } from '../base/stopped.ts'
import { sessionKey } from '../session/session.ts'
import { notifyOfEnd } from './end-notification.ts'
import {
  affectsCounts,
  appendPage,
  applyChange,
  hasJustEnded,
  type ListChange,
  type ListedJobs,
} from './listed-jobs.ts'

export interface LiveList {
  /** Newest first; undefined until the first response. It is a store: only the parts that differ change. */
  jobs(): readonly JobListItem[] | undefined
  hasMore(): boolean
  isLoading(): boolean
  /** Loads the next page, unless a page is already loading. */
  loadMore(): void
  /** Why the last request failed; null if it succeeded. */
  error(): ApiError | null
  reload(): void
}

export interface ListQuery {
  readonly filter: JobFilter | undefined
  /** Empty for all. */
  readonly search: string
}

export interface LiveListOptions {
  /** Lists only the jobs that the service finds; by default all. */
  readonly query?: Accessor<ListQuery>
  readonly pageSize: number
  /** Called when the number of jobs per status may have changed. */
  readonly onCountsChanged?: () => void
}

/** What lists of the signed-in user showed last. A list that is opened again shows it at once, and reloads it. */
const remembered = new Map<string, ListedJobs>()
createRoot(() => createEffect(on(sessionKey, () => remembered.clear(), { defer: true })))

/** The user's jobs, kept up to date by one event stream as long as the owner exists. */
export function createLiveList({ query = () => ALL, pageSize, onCountsChanged }: LiveListOptions): LiveList {
  const [state, setState] = createStore<{ listed?: ListedJobs | undefined }>({})
  const [error, setError] = createSignal<ApiError | null>(null)
  const [isLoading, setLoading] = createSignal(false)
  const lifetime = new AbortController()
  let loading = new AbortController()
  /** Events that arrive while a page is loading. The page may not contain them yet. Null while no page is loading. */
  let changesWhileLoading: ListChange[] | null = null

  const show = (listed: ListedJobs | undefined) =>
    setState('listed', reconcile<ListedJobs | undefined, ListedJobs | undefined>(listed))

  async function load(count: number, cursor: string | null, merge: (page: ListedJobs) => ListedJobs) {
    loading.abort(STOPPED)
    loading = new AbortController()
    const { signal } = loading
    const changes: ListChange[] = []
    changesWhileLoading = changes
    setLoading(true)
    try {
      const { filter, search } = query()
      const page = await listJobs({ count, cursor, filter, search, withSamples: true }, signal)
      if (signal.aborted) return
      show(changes.reduce((listed, change) => applyChange(listed, change, filter, search), merge(page)))
      setError(null)
    } catch (cause) {
      if (!signal.aborted) setError(toApiError(cause))
    } finally {
      if (changesWhileLoading === changes) {
        changesWhileLoading = null
        setLoading(false)
      }
    }
  }

  const reload = () => {
    onCountsChanged?.()
    return load(Math.max(pageSize, state.listed?.jobs.length ?? 0), null, (page) => page)
  }

  function loadMore() {
    const cursor = state.listed?.nextCursor
    if (cursor == null || isLoading()) return
    void load(pageSize, cursor, (page) => (state.listed ? appendPage(state.listed, page) : page))
  }

  const owner = sessionKey()
  const nameOf = ({ filter, search }: ListQuery) => `${pageSize} ${filter} ${search}`

  function remember(query: ListQuery) {
    if (!state.listed || owner !== sessionKey()) return
    // A copy, because the store changes what it holds.
    remembered.set(nameOf(query), structuredClone(unwrap(state.listed)))
    const [oldest = ''] = remembered.keys()
    if (remembered.size > MAX_REMEMBERED) remembered.delete(oldest)
  }

  function showRemembered(query: ListQuery) {
    show(remembered.get(nameOf(query)))
    remembered.delete(nameOf(query))
  }

  function apply(change: ListChange) {
    changesWhileLoading?.push(change)
    if (!state.listed) return
    if (affectsCounts(state.listed, change)) onCountsChanged?.()
    if ('job' in change && hasJustEnded(state.listed, change.job)) notifyOfEnd(change.job)
    show(applyChange(state.listed, change, query().filter, query().search))
  }

  showRemembered(query())
  onMount(() => {
    subscribeToJobs(
      {
        onOpen: () => void reload(),
        on: { job: (job) => apply({ job }), deleted: ({ id }) => apply({ deleted: id }) },
        // While the service refuses the stream, each attempt to open it at least reloads the list.
        onError: (error) => (error.code === 'UNREACHABLE' ? setError(error) : void reload()),
      },
      lifetime.signal,
    )
  })
  createEffect(
    on(
      query,
      (query, previous) => {
        if (previous) remember(previous)
        showRemembered(query)
        void reload()
      },
      { defer: true },
    ),
  )
  onCleanup(() => {
    remember(query())
    lifetime.abort(STOPPED)
    loading.abort(STOPPED)
  })

  return {
    jobs: () => state.listed?.jobs,
    hasMore: () => state.listed?.nextCursor != null,
    isLoading,
    loadMore,
    error,
    reload: () => void reload(),
  }
}

const ALL: ListQuery = { filter: undefined, search: '' }
/** Each text that somebody searches for is another list. */
const MAX_REMEMBERED = 10
