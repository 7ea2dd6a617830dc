import type { RunChanges } from '../api/types.ts'
import { formatDay } from '../base/format.ts'

/** "3 new, 2 changed, 1 kept from 4 May". */
export function changesText(
  { added, changed, kept, gone }: RunChanges,
  keptFrom: string | null,
  now: number,
): string {
  const parts = [
    [added, 'new'],
    [changed, 'changed'],
    [kept, keptFrom === null ? 'kept' : `kept from ${formatDay(keptFrom, now)}`],
    [gone, 'gone'],
  ] as const
  const told = parts.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`]))
  return told.length === 0 ? 'Nothing has changed since the archive before' : told.join(', ')
}
