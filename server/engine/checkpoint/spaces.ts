import { statSync } from 'node:fs'
import type { Space } from '../../archive/file.ts'
import type { ByteMove, Checkpoint, CheckpointEntry, Stretch } from './checkpoint.ts'

/** A checkpoint compared with the length of its archive file. */
export interface ValidatedCheckpoint {
  /** The part of the checkpoint that the file is long enough for. */
  readonly valid: Checkpoint
  /** Positions of entries that end after the file's end: they must be fetched again. */
  readonly lost: readonly number[]
}

/** Drops rows that the file is too short for: someone may have cut it, or restored an older one. */
export function validateCheckpoint(checkpoint: Checkpoint, partPath: string): ValidatedCheckpoint {
  const fileBytes = statSync(partPath, { throwIfNoEntry: false })?.size ?? 0
  const { entries, move } = checkpoint
  if (move !== null && fileBytes < moveEnd(move)) {
    // Some of the moving bytes are lost, so no entry's offset is reliable.
    return {
      valid: { entries: [], move: null, settledBytes: 0 },
      lost: entries.map(({ position }) => position),
    }
  }
  const fits = (entry: CheckpointEntry) => durableEnd(entry) <= fileBytes
  const valid = entries.filter(fits)
  const lost = entries.filter((entry) => !fits(entry))
  return {
    valid: { entries: valid, move, settledBytes: settledWithout(lost, checkpoint.settledBytes) },
    lost: lost.map(({ position }) => position),
  }
}

/** How many bytes are still settled when these entries are dropped. */
export function settledWithout(dropped: readonly CheckpointEntry[], settledBytes: number): number {
  const offsets = dropped.flatMap(spacesOf).map(({ offset }) => offset)
  return offsets.reduce((least, offset) => Math.min(least, offset), settledBytes)
}

function moveEnd({ to, copyOffset, copyBytes }: ByteMove): number {
  return Math.max(to, copyOffset + copyBytes)
}

/** How much of the archive file a checkpoint describes. */
export interface CheckpointBytes {
  /** End of the last durable byte; 0 if there is none. */
  readonly endOffset: number
  readonly lengthBytes: number
}

/** The bytes that a later run resumes from. No run needs any other bytes of the file. */
export function checkpointBytes({ entries, move }: Checkpoint): CheckpointBytes {
  return {
    endOffset: entries.reduce(
      (end, entry) => Math.max(end, durableEnd(entry)),
      move === null ? 0 : moveEnd(move),
    ),
    lengthBytes: entries.reduce((sum, entry) => sum + durableBytes(entry), 0),
  }
}

/** The space of an entry; that of its part for a failed one, if there is one. */
export function spacesOf(entry: CheckpointEntry): Space[] {
  if (entry.status === 'failed') return entry.part === null ? [] : spacesOf(entry.part)
  return [{ offset: entry.offset, lengthBytes: entry.headerBytes + entry.compressedBytes }]
}

/** False when two entries overlap, which no run of this program writes. */
export function areSpacesDistinct({ entries }: Checkpoint): boolean {
  const spaces = entries.flatMap(spacesOf).sort((a, b) => a.offset - b.offset)
  return spaces.every(({ offset }, index) => {
    const before = spaces[index - 1]
    return before === undefined || before.offset + before.lengthBytes <= offset
  })
}

function durableEnd(entry: CheckpointEntry): number {
  if (entry.status === 'failed') return entry.part === null ? 0 : durableEnd(entry.part)
  const bodyEnd = entry.status === 'stored' ? entry.compressedBytes : (entry.stretches.at(-1)?.end ?? 0)
  return entry.offset + entry.headerBytes + bodyEnd
}

function durableBytes(entry: CheckpointEntry): number {
  if (entry.status === 'failed') return entry.part === null ? 0 : durableBytes(entry.part)
  return entry.headerBytes + (entry.status === 'stored' ? entry.compressedBytes : bytesOf(entry.stretches))
}

function bytesOf(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { start, end }) => sum + end - start, 0)
}
