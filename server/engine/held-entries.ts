import { statSync } from 'node:fs'
import type { Space } from '../archive/archive-file.ts'
import type { Checkpoint, CheckpointEntry, Slide } from './checkpoint.ts'

/** A checkpoint held against its file. */
export interface JudgedCheckpoint {
  /** What the file can hold. */
  readonly held: Checkpoint
  /** Positions of entries that lie behind the file's end: they are to be fetched again. */
  readonly lost: readonly number[]
}

/** Believes no row that the file is too short for: someone may have cut it, or put back an older one. */
export function judgeCheckpoint(checkpoint: Checkpoint, partPath: string): JudgedCheckpoint {
  const fileBytes = statSync(partPath, { throwIfNoEntry: false })?.size ?? 0
  const { slide } = checkpoint
  if (slide !== null && fileBytes < slideEnd(slide)) {
    // Without the bytes that were on their way, no place can be told.
    return { held: { entries: [], slide: null }, lost: checkpoint.entries.map(({ position }) => position) }
  }
  const isHeld = (entry: CheckpointEntry) => durableEnd(entry) <= fileBytes
  return {
    held: { entries: checkpoint.entries.filter(isHeld), slide },
    lost: checkpoint.entries.filter((entry) => !isHeld(entry)).map(({ position }) => position),
  }
}

function slideEnd({ to, parkedAt, parkedBytes }: Slide): number {
  return Math.max(to, parkedAt + parkedBytes)
}

/** How much of the archive file a checkpoint speaks of. */
export interface CoveredBytes {
  /** Behind the last byte that counts; 0 when none does. */
  readonly endOffset: number
  readonly lengthBytes: number
}

/** What later runs can go on from; whatever else the file holds is for nobody. */
export function coveredBytes({ entries, slide }: Checkpoint): CoveredBytes {
  return {
    endOffset: entries.reduce(
      (end, entry) => Math.max(end, durableEnd(entry)),
      slide === null ? 0 : slideEnd(slide),
    ),
    lengthBytes: entries.reduce((sum, entry) => sum + durableBytes(entry), 0),
  }
}

/** The space of an entry, none for one that failed. */
export function spaceOf(entry: CheckpointEntry): Space[] {
  if (entry.status === 'failed') return []
  return [{ offset: entry.offset, lengthBytes: entry.headerBytes + entry.compressedBytes }]
}

/** False for what no run of ours can have written: two entries that claim the same bytes. */
export function areSpacesDistinct({ entries }: Checkpoint): boolean {
  const spaces = entries.flatMap(spaceOf).sort((a, b) => a.offset - b.offset)
  return spaces.every(({ offset }, index) => {
    const before = spaces[index - 1]
    return before === undefined || before.offset + before.lengthBytes <= offset
  })
}

function durableEnd(entry: CheckpointEntry): number {
  return entry.status === 'failed' ? 0 : entry.offset + durableBytes(entry)
}

function durableBytes(entry: CheckpointEntry): number {
  if (entry.status === 'failed') return 0
  return entry.headerBytes + (entry.status === 'stored' ? entry.compressedBytes : entry.durableBytes)
}
