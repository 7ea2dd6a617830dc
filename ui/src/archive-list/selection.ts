import { type Accessor, createMemo, createSignal } from 'solid-js'
import type { JobListItem } from '../api/types.ts'

/** The archives of a list that a person has selected, while the list shows checkboxes. */
export interface Selection {
  /** Whether archives can be selected. Then the rows have checkboxes and are not links. */
  isOn(): boolean
  /** In the order of the list. Archives that leave the list are no longer selected. */
  selected(): readonly JobListItem[]
  has(id: string): boolean
  toggle(id: string): void
  isAll(): boolean
  toggleAll(): void
  begin(): void
  end(): void
}

/** @param shown the archives of the list; undefined until they are loaded */
export function createSelection(shown: Accessor<readonly JobListItem[] | undefined>): Selection {
  const [ids, setIds] = createSignal<ReadonlySet<string> | null>(null)
  const selected = createMemo(() => shown()?.filter(({ id }) => ids()?.has(id)) ?? [])
  const isAll = () => selected().length > 0 && selected().length === shown()?.length
  return {
    isOn: () => ids() !== null,
    selected,
    has: (id) => ids()?.has(id) ?? false,
    toggle: (id) => setIds((ids) => toggled(ids ?? new Set(), id)),
    isAll,
    toggleAll: () => setIds(new Set(isAll() ? [] : shown()?.map(({ id }) => id))),
    begin: () => setIds((ids) => ids ?? new Set()),
    end: () => setIds(null),
  }
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return ids.has(id) ? new Set([...ids].filter((other) => other !== id)) : new Set(ids).add(id)
}
