import type { ArchiveFile, Space } from './archive-file.ts'
import { type Move, type PlacedEntry, planMoves } from './plan-moves.ts'
import { type Slide, type SlideJournal, STEP_BYTES, slideOn } from './slide.ts'

/** Where entries lie from now on. */
export interface MoveJournal extends SlideJournal {
  /** Resolves when the word on the new offsets survives a loss of power. */
  relocated(offsets: ReadonlyMap<number, number>): Promise<void>
}

/**
 * Closes every gap that padding can't fill; smaller ones stay for `absorbGaps`: readers that take an archive from a pipe
 * stop at bytes that belong to no entry. Bytes are copied only to where no entry lies, made durable, and then the new
 * offsets are written down, for many entries at once: a kill at any moment loses nothing.
 * @param stepBytes so much is moved at a time
 */
export async function closeGaps(
  file: ArchiveFile,
  entries: readonly PlacedEntry[],
  journal: MoveJournal,
  signal: AbortSignal,
  stepBytes = STEP_BYTES,
): Promise<void> {
  const placed = new Map(entries.map((entry) => [entry.position, entry]))

  const copy = async (moves: readonly Move[]): Promise<void> => {
    if (moves.length === 0) return
    for (const { position, to } of moves) {
      const { offset, lengthBytes } = placed.get(position) ?? missing()
      await file.copyWithin(offset, to, lengthBytes, signal)
    }
    await file.sync()
    await journal.relocated(new Map(moves.map(({ position, to }) => [position, to])))
    for (const { position, to, lengthBytes } of moves)
      placed.set(position, { position, offset: to, lengthBytes })
    file.setTaken([...placed.values()])
  }

  for (const moves of batches(planMoves(entries), stepBytes)) {
    const [first] = moves
    if (first !== undefined && isSlide(first, stepBytes)) {
      await slideOn(file, slideOf(first), journal, signal, stepBytes)
      placed.set(first.position, { ...first, offset: first.to })
      file.setTaken([...placed.values()])
      continue
    }
    // What would be written over waits behind the end of the file until the others have gone.
    let parkedAt = file.endOffset
    const parked = moves.filter((move) => isOverlapped(move, moves))
    await copy(
      parked.map((move) => {
        parkedAt += move.lengthBytes
        return { ...move, to: parkedAt - move.lengthBytes }
      }),
    )
    await copy(moves)
  }
}

/** Whether it is too large to wait behind the end of the file while it moves over a part of itself. */
function isSlide({ offset, to, lengthBytes }: Move, stepBytes: number): boolean {
  return lengthBytes > stepBytes && to < offset && to + lengthBytes > offset
}

/** So many together as are moved at a time; a larger one alone. */
function batches(moves: readonly Move[], stepBytes: number): Move[][] {
  const batches: Move[][] = []
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

/** Whether one of the moves, by their new offset, writes over what this one copies. */
function isOverlapped({ offset, lengthBytes }: Space, moves: readonly Move[]): boolean {
  let [from, to] = [0, moves.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((moves[middle]?.to ?? Infinity) < offset + lengthBytes) from = middle + 1
    else to = middle
  }
  const last = moves[from - 1]
  return last !== undefined && last.to + last.lengthBytes > offset
}

function slideOf({ offset, lengthBytes, to }: Move): Slide {
  return {
    from: offset,
    to: offset + lengthBytes,
    by: offset - to,
    movedBytes: 0,
    parkedAt: 0,
    parkedBytes: 0,
  }
}

function missing(): never {
  throw new RangeError('an entry is to be moved that is not in the archive')
}
