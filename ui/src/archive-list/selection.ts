import { type Accessor, createMemo, createSignal } from 'solid-js'
import type { JobListItem } from '../api/types.ts'

/** The archives of a list that a person has selected, while the list shows checkboxes. */
export interface ArchiveSelection {
  /** Whether archives can be selected. Then the rows have checkboxes and are not links. */
  isOn(): boolean
  /** In the order of the list. Archives that leave the list are no longer selected. */
  selected(): readonly JobListItem[]
  has(id: string): boolean
  /** Selects an archive, or no longer; with `isRange`, also all between it and the one that was toggled before. */
  toggle(id: string, isRange?: boolean): void
  isAll(): boolean
  toggleAll(): void
  begin(): void
  end(): void
}

/** @param shown the archives of the list; undefined until they are loaded */
export function createArchiveSelection(
  shown: Accessor<readonly JobListItem[] | undefined>,
): ArchiveSelection {
  const [ids, setIds] = createSignal<ReadonlySet<string> | null>(null)
  const selected = createMemo(() => shown()?.filter(({ id }) => ids()?.has(id)) ?? [])
  /** The archive that was toggled last. */
  let last: string | null = null

  /** The archives from the one that was toggled last up to this one, in the order of the list. */
  function range(id: string): string[] {
    const listed = shown()?.map(({ id }) => id) ?? []
    const [from, to] = [listed.indexOf(last ?? id), listed.indexOf(id)].toSorted((a, b) => a - b)
    return from === undefined || to === undefined || from === -1 ? [id] : listed.slice(from, to + 1)
  }

  const isAll = () => selected().length > 0 && selected().length === shown()?.length
  return {
    isOn: () => ids() !== null,
    selected,
    has: (id) => ids()?.has(id) ?? false,
    toggle(id, isRange = false) {
      const between = isRange ? range(id) : [id]
      const isSelected = !(ids()?.has(id) ?? false)
      setIds((ids) => withAll(ids ?? new Set(), between, isSelected))
      last = id
    },
    isAll,
    toggleAll: () => setIds(new Set(isAll() ? [] : shown()?.map(({ id }) => id))),
    begin: () => setIds((ids) => ids ?? new Set()),
    end() {
      last = null
      setIds(null)
    },
  }
}

function withAll(
  ids: ReadonlySet<string>,
  changed: readonly string[],
  isSelected: boolean,
): ReadonlySet<string> {
  const next = new Set(ids)
  for (const id of changed) {
    if (isSelected) next.add(id)
    else next.delete(id)
  }
  return next
}
