import { createEffect, createMemo, For, on, Show } from 'solid-js'
import type { JobCounts, JobStatus } from '../api/types.ts'
import { formatCount } from '../base/format.ts'
import { useShortcut } from '../base/shortcuts.ts'
import styles from './status-filter.module.css'

/** The statuses to filter by, as they appear in the URL. */
export const FILTERS = [
  { status: undefined, label: 'All' },
  { status: 'pending', label: 'Waiting' },
  { status: 'processing', label: 'Running' },
  { status: 'completed', label: 'Ready' },
  { status: 'failed', label: 'Failed' },
] as const satisfies readonly { status: JobStatus | undefined; label: string }[]

export interface StatusFilterProps {
  status: JobStatus | undefined
  counts: JobCounts | undefined
}

/** Links that filter the archives by status. The choice is part of the URL, so that it survives a reload. */
export function StatusFilter(props: StatusFilterProps) {
  let nav: HTMLElement | undefined
  const current = () => nav?.querySelector<HTMLElement>('[aria-current]')
  useShortcut({ keys: ['/'], label: 'Filter archives', run: () => current()?.focus() })
  // On narrow screens the filters scroll sideways. Shows the current one when it changes, and not whenever a count does.
  const showCurrent = () => {
    const chosen = current()
    if (nav && chosen) nav.scrollTo({ left: chosen.offsetLeft - (nav.clientWidth - chosen.offsetWidth) / 2 })
  }
  const hasCounts = createMemo(() => props.counts !== undefined)
  createEffect(on([() => props.status, hasCounts], showCurrent))
  return (
    <nav ref={nav} class={styles.filters} aria-label="Filter by status">
      <For each={FILTERS}>
        {({ status, label }) => (
          <a
            class={styles.filter}
            href={status === undefined ? '/archives' : `/archives?status=${status}`}
            noScroll
            aria-current={props.status === status ? 'page' : undefined}
          >
            {label}
            <Show when={props.counts}>
              {(counts) => <span class={styles.count}>{formatCount(counts()[status ?? 'total'])}</span>}
            </Show>
          </a>
        )}
      </For>
    </nav>
  )
}
