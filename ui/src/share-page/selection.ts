import { type Accessor, createSignal } from 'solid-js'

/** The files that a receiver has selected, by their positions. */
export interface FileSelection {
  readonly isOn: Accessor<boolean>
  readonly begin: () => void
  readonly end: () => void
  readonly has: (position: number) => boolean
  readonly set: (positions: readonly number[], isSelected: boolean) => void
}

export function createFileSelection(): FileSelection {
  const [selected, setSelected] = createSignal<ReadonlySet<number> | null>(null)
  return {
    isOn: () => selected() !== null,
    begin: () => setSelected(new Set<number>()),
    end: () => setSelected(null),
    has: (position) => selected()?.has(position) ?? false,
    set(positions, isSelected) {
      const next = new Set(selected())
      for (const position of positions) {
        if (isSelected) next.add(position)
        else next.delete(position)
      }
      setSelected(next)
    },
  }
}
