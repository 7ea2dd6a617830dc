import type { ArchiveFile } from './archive-file.ts'
import { MAX_PADDING_BYTES } from './format.ts'

/** The bytes [from, to) of the archive file move `by` bytes towards the front; `movedBytes` of them have. */
export interface Slide {
  readonly from: number
  readonly to: number
  readonly by: number
  readonly movedBytes: number
}

/** Where a move writes down how far it is; each promise resolves when the word survives a loss of power. */
export interface SlideJournal {
  moved(slide: Slide): Promise<void>
  /** The move is over: what lay in [from, to) is now `by` bytes nearer to the front. */
  ended(slide: Slide): Promise<void>
}

/**
 * Closes every gap that padding can't fill: what follows it moves to the front, and the gap with it, until it is
 * at the end of the file and gone. Smaller gaps stay for `absorbGap`: readers that take an archive from a pipe
 * stop at bytes that belong to no entry.
 */
export async function closeGaps(
  file: ArchiveFile,
  journal: SlideJournal,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const index = file.gaps.findIndex((gap) => gap.lengthBytes >= MAX_PADDING_BYTES)
    const gap = file.gaps[index]
    if (gap === undefined) return
    const from = gap.offset + gap.lengthBytes
    const to = file.gaps[index + 1]?.offset ?? file.endOffset
    await slideOn(file, { from, to, by: gap.lengthBytes, movedBytes: 0 }, journal, signal)
  }
}

/**
 * Begins a move, or goes on with it where a run before this one left it. It goes in pieces no longer than the gap,
 * so that a piece never overwrites its own source, and the next begins only when this one is durable and written
 * down: a kill in the middle loses nothing.
 */
export async function slideOn(
  file: ArchiveFile,
  slide: Slide,
  journal: SlideJournal,
  signal: AbortSignal,
): Promise<void> {
  let current = slide
  while (current.from + current.movedBytes < current.to) {
    signal.throwIfAborted()
    const source = current.from + current.movedBytes
    const lengthBytes = Math.min(current.by, current.to - source)
    await copyWithin(file, source, source - current.by, lengthBytes)
    await file.sync()
    current = { ...current, movedBytes: current.movedBytes + lengthBytes }
    await journal.moved(current)
  }
  await journal.ended(current)
  file.shift(current.from, current.to, current.by)
}

/** Copies inside the file; the two stretches don't overlap. */
async function copyWithin(file: ArchiveFile, from: number, to: number, lengthBytes: number): Promise<void> {
  const piece = new Uint8Array(Math.min(COPY_BYTES, lengthBytes))
  for (let done = 0; done < lengthBytes; ) {
    const wanted = piece.subarray(0, Math.min(piece.length, lengthBytes - done))
    if (file.read(wanted, from + done) !== wanted.length)
      throw new Error('the archive file is shorter than its entries')
    file.write(wanted, to + done)
    done += wanted.length
    // A gap can be as long as a large body was to be: the thread must not be silent for so long.
    await new Promise(setImmediate)
  }
}

const COPY_BYTES = 1024 * 1024
