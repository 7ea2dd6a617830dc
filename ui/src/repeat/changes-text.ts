import type { RunChanges } from '../api/types.ts'
import { formatCount, formatDay } from '../base/format.ts'
import { changesCopy } from '../language/english/changes.ts'

/** "3 new, 2 changed, 1 kept from 4 May". */
export function changesText(
  { added, changed, kept, gone }: RunChanges,
  keptFrom: string | null,
  now: number,
): string {
  const keptText = (count: string) =>
    keptFrom === null ? changesCopy.kept(count) : changesCopy.keptFrom(count, formatDay(keptFrom, now))
  const parts = [
    [added, changesCopy.added],
    [changed, changesCopy.changed],
    [kept, keptText],
    [gone, changesCopy.gone],
  ] as const
  const told = parts.flatMap(([count, text]) => (count === 0 ? [] : [text(formatCount(count))]))
  return told.length === 0 ? changesCopy.nothing : told.join(', ')
}
