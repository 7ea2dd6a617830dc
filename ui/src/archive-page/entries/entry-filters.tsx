import { createEffect, createMemo, For, on } from 'solid-js'
import { formatCount } from '../../base/format.ts'
import { useShortcut } from '../../base/shortcuts.ts'
import { archivePageCopy } from '../../language/english/archive-page.ts'
import { type EntryCounts, SHOWN_STATUSES, STATUS_LABELS } from '../../map/entry-status.ts'
import styles from './entry-filters.module.css'
import type { ShownEntries } from './entry-order.ts'

export interface EntryFiltersProps {
  counts: EntryCounts
  total: number
  /** The archive is finished, and its map shows kinds. */
  isReady: boolean
  /** How many differ from the archive before; null unless the archive is of a schedule. */
  changed: number | null
  value: ShownEntries
  onChange: (filter: ShownEntries) => void
}

/** Buttons that filter the entries by status. They show the counts, and serve as the legend of the map. */
export function EntryFilters(props: EntryFiltersProps) {
  // Only statuses that occur: a finished archive needs no "Waiting 0".
  const options = createMemo(
    (): readonly ShownEntries[] => [
      'all',
      ...(props.changed === null ? [] : (['changed'] as const)),
      ...SHOWN_STATUSES.filter((status) => props.counts[status] > 0 || props.value === status),
    ],
    [],
    { equals: (a, b) => a.join() === b.join() },
  )
  const countOf = (filter: ShownEntries) => {
    if (filter === 'all') return props.total
    return filter === 'changed' ? (props.changed ?? 0) : props.counts[filter]
  }
  let group: HTMLFieldSetElement | undefined
  const current = () => group?.querySelector<HTMLElement>('[aria-pressed="true"]')
  const focus = () => current()?.focus()
  // On narrow screens the filters scroll sideways.
  createEffect(
    on(
      () => props.value,
      () => {
        const chosen = current()
        if (group && chosen)
          group.scrollTo({ left: chosen.offsetLeft - (group.clientWidth - chosen.offsetWidth) / 2 })
      },
    ),
  )
  useShortcut({ keys: ['/'], label: archivePageCopy.files.filter, run: focus })
  return (
    <fieldset ref={group} class={styles.filters}>
      <legend class="visually-hidden">{archivePageCopy.files.show}</legend>
      <For each={options()}>
        {(filter) => (
          <button
            type="button"
            class={styles.filter}
            data-status={filter}
            aria-pressed={props.value === filter}
            onClick={() => props.onChange(filter)}
          >
            <span
              class={styles.swatch}
              data-colour={swatchColour(filter, props.isReady)}
              aria-hidden="true"
            />
            {labelOf(filter)} <span class={styles.count}>{formatCount(countOf(filter))}</span>
          </button>
        )}
      </For>
    </fieldset>
  )
}

function swatchColour(filter: ShownEntries, isReady: boolean): ShownEntries | 'kinds' {
  return filter === 'waiting' || (isReady && filter === 'stored') ? 'kinds' : filter
}

function labelOf(filter: ShownEntries): string {
  if (filter === 'all') return archivePageCopy.files.all
  return filter === 'changed' ? archivePageCopy.files.changed : STATUS_LABELS[filter]
}
