import type { Checkpoint, CheckpointChange, CheckpointEntry } from './checkpoint.ts'

/** What a checkpoint is after these changes, in their order. */
export function applyChanges(checkpoint: Checkpoint, changes: Iterable<CheckpointChange>): Checkpoint {
  const entries = new Map(checkpoint.entries.map((entry) => [entry.position, entry]))
  let { slide } = checkpoint
  for (const change of changes) {
    switch (change.kind) {
      case 'put':
        entries.set(change.entry.position, change.entry)
        break
      case 'drop':
        entries.delete(change.position)
        break
      case 'slide':
        slide = change.slide
        break
      case 'shift':
        for (const entry of entries.values()) entries.set(entry.position, shifted(entry, change))
        slide = null
        break
    }
  }
  return { entries: [...entries.values()], slide }
}

/** The entry as it is after what lay in [from, to) has moved to the front. */
export function shifted(entry: CheckpointEntry, { from, to, by }: Shift): CheckpointEntry {
  if (entry.status === 'failed' || entry.offset < from || entry.offset >= to) return entry
  return { ...entry, offset: entry.offset - by }
}

interface Shift {
  readonly from: number
  readonly to: number
  readonly by: number
}
