import type { ArchiveFile, Space } from '../file.ts'
import { type ByteMove, type ByteMoveJournal, resumeMove, STEP_BYTES } from './byte-move.ts'
import { type EntryMove, type LocatedEntry, planMoves } from './plan-moves.ts'

/** Records new offsets of entries. */
export interface MoveJournal extends ByteMoveJournal {
  /** The entries in so many bytes at the beginning of the file stay where they are. There are no gaps in them. */
  readonly settledBytes: number
  /** Resolves when the new offsets survive a loss of power. */
  commitOffsets(offsets: ReadonlyMap<number, number>): Promise<void>
}

/**
 * Closes every gap that is too large for padding, which fills the smaller ones (`gapsBeforeEntries`). An archive may have no
 * gaps, since readers that read from a pipe stop at bytes that belong to no entry. Bytes are copied to free space only and made
 * durable, and then the new offsets of many entries are recorded at once, so a crash at any moment loses nothing.
 * @param stepBytes bytes to move at a time
 */
export async function closeGaps(
  file: ArchiveFile,
  entries: readonly LocatedEntry[],
  journal: MoveJournal,
  signal: AbortSignal,
  stepBytes = STEP_BYTES,
): Promise<void> {
  const located = new Map(entries.map((entry) => [entry.position, entry]))

  const copy = async (moves: readonly EntryMove[]): Promise<void> => {
    if (moves.length === 0) return
    for (const { position, to } of moves) {
      const { offset, lengthBytes } = located.get(position) ?? missing()
      await file.copyWithin(offset, to, lengthBytes, signal)
    }
    await file.sync()
    await journal.commitOffsets(new Map(moves.map(({ position, to }) => [position, to])))
    for (const { position, to, lengthBytes } of moves)
      located.set(position, { position, offset: to, lengthBytes })
    file.setTaken([...located.values()])
  }

  const { settledBytes } = journal
  const movable = entries.filter(({ offset }) => offset >= settledBytes)
  for (const moves of batches(planMoves(movable, settledBytes), stepBytes)) {
    const [first] = moves
    if (first !== undefined && needsSteps(first, stepBytes)) {
      await resumeMove(file, byteMoveOf(first), journal, signal, stepBytes)
      located.set(first.position, { ...first, offset: first.to })
      file.setTaken([...located.values()])
      continue
    }
    // Entries that others would overwrite are first copied to the end of the file.
    let freeOffset = file.endOffset
    const overlapped = moves.filter((move) => isOverlapped(move, moves))
    await copy(
      overlapped.map((move) => {
        freeOffset += move.lengthBytes
        return { ...move, to: freeOffset - move.lengthBytes }
      }),
    )
    await copy(moves)
  }
}

/** Whether the entry moves over a part of itself and is too large to be copied to the end of the file first. */
function needsSteps({ offset, to, lengthBytes }: EntryMove, stepBytes: number): boolean {
  return lengthBytes > stepBytes && to < offset && to + lengthBytes > offset
}

/** Batches of up to `stepBytes`. A larger entry is a batch of its own. */
function batches(moves: readonly EntryMove[], stepBytes: number): EntryMove[][] {
  const batches: EntryMove[][] = []
  let batchBytes = Infinity
  for (const move of moves) {
    if (batchBytes + move.lengthBytes > stepBytes) {
      batches.push([])
      batchBytes = 0
    }
    batches.at(-1)?.push(move)
    batchBytes += move.lengthBytes
  }
  return batches
}

/** Whether one of the moves, sorted by new offset, overwrites the source of this one. */
function isOverlapped({ offset, lengthBytes }: Space, moves: readonly EntryMove[]): boolean {
  let [from, to] = [0, moves.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((moves[middle]?.to ?? Infinity) < offset + lengthBytes) from = middle + 1
    else to = middle
  }
  const last = moves[from - 1]
  return last !== undefined && last.to + last.lengthBytes > offset
}

function byteMoveOf({ offset, lengthBytes, to }: EntryMove): ByteMove {
  return {
    from: offset,
    to: offset + lengthBytes,
    by: offset - to,
    movedBytes: 0,
    copyOffset: 0,
    copyBytes: 0,
  }
}

function missing(): never {
  throw new RangeError('an entry is to be moved that is not in the archive')
}
