import { createMemo, For } from 'solid-js'
import { formatCount } from '../../base/format.ts'
import { useShortcut } from '../../base/shortcuts.ts'
import styles from './entry-filters.module.css'
import type { EntryFilter } from './entry-order.ts'
import { ENTRY_STATUSES, type EntryCounts, STATUS_WORDS } from './entry-status.ts'

export interface EntryFiltersProps {
  counts: EntryCounts
  total: number
  value: EntryFilter
  onChange: (filter: EntryFilter) => void
}

/** How many entries are in each state, which is the key to the colours of the map, and shows them alone. */
export function EntryFilters(props: EntryFiltersProps) {
  // Those that there are: a finished archive needs no "Waiting 0".
  const offered = createMemo(
    (): readonly EntryFilter[] => [
      'all',
      ...ENTRY_STATUSES.filter((status) => props.counts[status] > 0 || props.value === status),
    ],
    [],
    { equals: (one, other) => one.join() === other.join() },
  )
  let group: HTMLFieldSetElement | undefined
  const focus = () => group?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus()
  useShortcut({ keys: ['/'], label: 'Filter the files', run: focus })
  return (
    <fieldset ref={group} class={styles.filters}>
      <legend class="visually-hidden">Show</legend>
      <For each={offered()}>
        {(filter) => (
          <button
            type="button"
            class={styles.filter}
            data-status={filter}
            aria-pressed={props.value === filter}
            onClick={() => props.onChange(filter)}
          >
            <span class={styles.swatch} aria-hidden="true" />
            {filter === 'all' ? 'All' : STATUS_WORDS[filter]}{' '}
            <span class={styles.count}>
              {formatCount(filter === 'all' ? props.total : props.counts[filter])}
            </span>
          </button>
        )}
      </For>
    </fieldset>
  )
}
