import { createEffect, createMemo, For, on, Show } from 'solid-js'
import type { JobCounts, JobFilter } from '../api/types.ts'
import { formatCount } from '../base/format.ts'
import { archiveListCopy } from '../language/english/archive-list.ts'
import styles from './status-filter.module.css'

/** The filters, as they appear in the URL. */
export const FILTERS = [
  { filter: undefined, label: archiveListCopy.all },
  { filter: 'pending', label: archiveListCopy.states.waiting },
  { filter: 'processing', label: archiveListCopy.states.running },
  { filter: 'completed', label: archiveListCopy.states.ready },
  { filter: 'failed', label: archiveListCopy.states.failed },
  { filter: 'cancelled', label: archiveListCopy.states.cancelled },
] as const satisfies readonly { filter: JobFilter | undefined; label: string }[]

export interface StatusFilterProps {
  filter: JobFilter | undefined
  /** What is searched for stays when the filter changes. */
  search: string
  counts: JobCounts | undefined
}

/** Links that filter the archives by status. The choice is part of the URL, so that it survives a reload. */
export function StatusFilter(props: StatusFilterProps) {
  let nav: HTMLElement | undefined
  const current = () => nav?.querySelector<HTMLElement>('[aria-current]')
  // On narrow screens the filters scroll sideways. Shows the current one when it changes, and not whenever a count does.
  const showCurrent = () => {
    const chosen = current()
    if (nav && chosen) nav.scrollTo({ left: chosen.offsetLeft - (nav.clientWidth - chosen.offsetWidth) / 2 })
  }
  const hasCounts = createMemo(() => props.counts !== undefined)
  createEffect(on([() => props.filter, hasCounts], showCurrent))
  return (
    <nav ref={nav} class={styles.filters} aria-label={archiveListCopy.filterByStatus}>
      <For each={FILTERS}>
        {({ filter, label }) => (
          <a
            class={styles.filter}
            href={pathOf(filter, props.search)}
            noScroll
            aria-current={props.filter === filter ? 'page' : undefined}
          >
            {label}
            <Show when={props.counts}>
              {(counts) => <span class={styles.count}>{formatCount(countFor(filter, counts()))}</span>}
            </Show>
          </a>
        )}
      </For>
    </nav>
  )
}

function pathOf(filter: JobFilter | undefined, search: string): string {
  const query = new URLSearchParams()
  if (filter !== undefined) query.set('status', filter)
  if (search !== '') query.set('search', search)
  return query.size === 0 ? '/archives' : `/archives?${query}`
}

function countFor(filter: JobFilter | undefined, counts: JobCounts): number {
  return filter === 'failed' ? counts.failed - counts.cancelled : counts[filter ?? 'total']
}
