import type { Checkpoint, CheckpointChange, CheckpointEntry } from './checkpoint.ts'

/** The checkpoint after these changes, applied in order. */
export function applyChanges(checkpoint: Checkpoint, changes: Iterable<CheckpointChange>): Checkpoint {
  const entries = new Map(checkpoint.entries.map((entry) => [entry.position, entry]))
  let { move, settledBytes } = checkpoint
  for (const change of changes) {
    switch (change.kind) {
      case 'put':
        entries.set(change.entry.position, change.entry)
        break
      case 'drop':
        entries.delete(change.position)
        break
      case 'move':
        move = change.move
        break
      case 'shift':
        for (const entry of entries.values()) entries.set(entry.position, shifted(entry, change))
        move = null
        break
      case 'settle':
        settledBytes = change.settledBytes
        for (const place of change.places) {
          const entry = entries.get(place.position)
          if (entry?.status === 'stored') entries.set(place.position, { ...entry, ...place })
        }
        break
    }
  }
  return { entries: [...entries.values()], move, settledBytes }
}

/** The entry after the bytes in [from, to) have moved `by` bytes towards the front. */
export function shifted<T extends CheckpointEntry>(entry: T, { from, to, by }: Shift): T {
  if (entry.status === 'failed') {
    return entry.part === null ? entry : { ...entry, part: shifted(entry.part, { from, to, by }) }
  }
  if (entry.offset < from || entry.offset >= to) return entry
  return { ...entry, offset: entry.offset - by }
}

interface Shift {
  readonly from: number
  readonly to: number
  readonly by: number
}
