import type { ArchiveFile } from '../file.ts'

/** The move of the bytes [from, to) of the archive file by `by` bytes towards the front; `movedBytes` of them are done. */
export interface ByteMove {
  readonly from: number
  readonly to: number
  readonly by: number
  readonly movedBytes: number
  /** Offset of a copy of the next `copyBytes`, after all entries. The original may be partly overwritten. */
  readonly copyOffset: number
  readonly copyBytes: number
}

/** Records the progress of a move. Each promise resolves when the record survives a loss of power. */
export interface ByteMoveJournal {
  moved(move: ByteMove): Promise<void>
  /** The move is complete: the bytes of [from, to) are now `by` bytes nearer to the front. */
  ended(move: ByteMove): Promise<void>
}

/**
 * Moves a range of bytes over a part of itself, or resumes such a move. If the distance is at least one step long, each piece
 * is copied straight to its place. Otherwise it would overwrite itself: each piece is first copied to the end of the file,
 * and from there to its place in the next step. Each step has one sync and one commit, so a crash loses nothing. The caller
 * must update the spaces of the file with `setTaken`.
 */
export async function resumeMove(
  file: ArchiveFile,
  move: ByteMove,
  journal: ByteMoveJournal,
  signal: AbortSignal,
  stepBytes = STEP_BYTES,
): Promise<void> {
  let current = move
  while (current.from + current.movedBytes < current.to) {
    current =
      current.by < stepBytes
        ? await copiedStep(file, current, signal, stepBytes)
        : await step(file, current, signal)
    await file.sync()
    await journal.moved(current)
  }
  await journal.ended(current)
}

async function step(file: ArchiveFile, move: ByteMove, signal: AbortSignal): Promise<ByteMove> {
  const source = move.from + move.movedBytes
  const lengthBytes = Math.min(move.by, move.to - source)
  await file.copyWithin(source, source - move.by, lengthBytes, signal)
  return { ...move, movedBytes: move.movedBytes + lengthBytes }
}

async function copiedStep(
  file: ArchiveFile,
  move: ByteMove,
  signal: AbortSignal,
  stepBytes: number,
): Promise<ByteMove> {
  const { from, to, by, movedBytes, copyOffset, copyBytes } = move
  await file.copyWithin(copyOffset, from + movedBytes - by, copyBytes, signal)
  const source = from + movedBytes + copyBytes
  const lengthBytes = Math.min(stepBytes, to - source)
  // Not over the previous copy: until this step is committed, a crash would make that piece needed again.
  const isTaken = copyBytes > 0 && copyOffset < file.endOffset + stepBytes
  const place = isTaken ? copyOffset + stepBytes : file.endOffset
  await file.copyWithin(source, place, lengthBytes, signal)
  return { ...move, movedBytes: movedBytes + copyBytes, copyOffset: place, copyBytes: lengthBytes }
}

/**
 * Bytes per step. At most two pieces of this size lie after the end of the archive, about as much as each job leaves free on
 * the disk.
 */
export const STEP_BYTES = 64 * 1024 * 1024
