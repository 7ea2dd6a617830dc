import type { ArchiveFile } from './archive-file.ts'

/** The bytes [from, to) of the archive file move `by` bytes towards the front; `movedBytes` of them have. */
export interface Slide {
  readonly from: number
  readonly to: number
  readonly by: number
  readonly movedBytes: number
  /** A copy of the next `parkedBytes` lies here, behind all entries: their own place may be half written over. */
  readonly parkedAt: number
  readonly parkedBytes: number
}

/** Where a move writes down how far it is; each promise resolves when the word survives a loss of power. */
export interface SlideJournal {
  moved(slide: Slide): Promise<void>
  /** The move is over: what lay in [from, to) is now `by` bytes nearer to the front. */
  ended(slide: Slide): Promise<void>
}

/**
 * Moves a stretch over a part of itself, or goes on with it where a run before this one left it. A piece that is no
 * longer than the way goes straight to its place. Else it would be written over itself: so each is copied behind the end
 * of the file first, and goes to its place in the step in which the next one is copied there. One sync and one commit a
 * step; a kill in the middle loses nothing. The spaces of the file are its caller's to take anew.
 */
export async function slideOn(
  file: ArchiveFile,
  slide: Slide,
  journal: SlideJournal,
  signal: AbortSignal,
  stepBytes = STEP_BYTES,
): Promise<void> {
  let current = slide
  while (current.from + current.movedBytes < current.to) {
    current =
      current.by < stepBytes
        ? await parkedStep(file, current, signal, stepBytes)
        : await step(file, current, signal)
    await file.sync()
    await journal.moved(current)
  }
  await journal.ended(current)
}

async function step(file: ArchiveFile, slide: Slide, signal: AbortSignal): Promise<Slide> {
  const source = slide.from + slide.movedBytes
  const lengthBytes = Math.min(slide.by, slide.to - source)
  await file.copyWithin(source, source - slide.by, lengthBytes, signal)
  return { ...slide, movedBytes: slide.movedBytes + lengthBytes }
}

async function parkedStep(
  file: ArchiveFile,
  slide: Slide,
  signal: AbortSignal,
  stepBytes: number,
): Promise<Slide> {
  const { from, to, by, movedBytes, parkedAt, parkedBytes } = slide
  await file.copyWithin(parkedAt, from + movedBytes - by, parkedBytes, signal)
  const source = from + movedBytes + parkedBytes
  const lengthBytes = Math.min(stepBytes, to - source)
  // Not over the last piece: until this step is written down, it may be needed again.
  const isTaken = parkedBytes > 0 && parkedAt < file.endOffset + stepBytes
  const place = isTaken ? parkedAt + stepBytes : file.endOffset
  await file.copyWithin(source, place, lengthBytes, signal)
  return { ...slide, movedBytes: movedBytes + parkedBytes, parkedAt: place, parkedBytes: lengthBytes }
}

/**
 * So much is moved at a time. Two pieces of it lie behind the end of the file at most, about what every job leaves free
 * on the disk when its bodies begin.
 */
export const STEP_BYTES = 64 * 1024 * 1024
