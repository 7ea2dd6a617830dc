import { type LocatedEntry, planMoves } from '../../../server/archive/gaps/plan-moves.ts'

/** The entries of an archive file, each with the gap before it. */
export type Layout = readonly (readonly [gapBytes: number, entryBytes: number])[]

/** Creates entries with the given gaps and lengths. */
export function entriesOf(layout: Layout): LocatedEntry[] {
  let offset = 0
  return layout.map(([gapBytes, lengthBytes], position) => {
    const entry = { position, offset: offset + gapBytes, lengthBytes }
    offset = entry.offset + lengthBytes
    return entry
  })
}

/** The number of bytes that the plan moves. */
export const movedBytes = (layout: Layout) =>
  planMoves(entriesOf(layout)).reduce((sum, { lengthBytes }) => sum + lengthBytes, 0)
export const times = (count: number, ...layout: Layout) => Array.from({ length: count }, () => layout).flat()
