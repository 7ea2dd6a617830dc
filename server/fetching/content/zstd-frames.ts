/**
 * Follows the frames of a Zstandard stream (RFC 8878 section 3.1) to know whether it ends after a whole frame: Bun's decoder takes a
 * stream that is cut off for a shorter one.
 */
export class ZstdFrames {
  readonly #parts = parts()
  /** How many bytes the next part has; they are collected if the parts need them. */
  #part = this.#parts.next().value
  #collected: number[] = []
  #skippedBytes = 0

  /** Whether the bytes so far are whole frames. */
  get areWhole(): boolean {
    return this.#part.isFrameStart === true && this.#collected.length === 0
  }

  follow(piece: Uint8Array): void {
    for (let at = 0; at < piece.length; ) {
      const { bytes, isSkipped } = this.#part
      if (isSkipped) {
        const skipped = Math.min(bytes - this.#skippedBytes, piece.length - at)
        this.#skippedBytes += skipped
        at += skipped
      } else {
        this.#collected.push(piece[at] ?? 0)
        at += 1
      }
      if (this.#collected.length + this.#skippedBytes < bytes) continue
      this.#part = this.#parts.next(this.#collected).value
      this.#collected = []
      this.#skippedBytes = 0
    }
  }
}

interface Part {
  readonly bytes: number
  readonly isSkipped?: boolean
  readonly isFrameStart?: boolean
}

/** The parts of frames, one after the other. Each is given the bytes of the part before. */
function* parts(): Generator<Part, never, readonly number[]> {
  for (;;) {
    const magic = littleEndian(yield { bytes: 4, isFrameStart: true })
    if (magic >= FIRST_SKIPPABLE && magic <= LAST_SKIPPABLE) {
      yield* skip(littleEndian(yield { bytes: 4 }))
      continue
    }
    const [descriptor = 0] = yield { bytes: 1 }
    yield* skip(headerBytes(descriptor))
    for (let isLast = false; !isLast; ) {
      const header = littleEndian(yield { bytes: 3 })
      isLast = (header & 1) === 1
      // A block of type RLE has one byte, whatever its size.
      yield* skip(((header >> 1) & 3) === 1 ? 1 : header >> 3)
    }
    const hasChecksum = (descriptor & 4) !== 0
    if (hasChecksum) yield* skip(4)
  }
}

function* skip(bytes: number): Generator<Part, void, readonly number[]> {
  if (bytes > 0) yield { bytes, isSkipped: true }
}

/** Length of the frame header after its first byte (RFC 8878 section 3.1.1.1). */
function headerBytes(descriptor: number): number {
  const isSingleSegment = (descriptor & 0x20) !== 0
  const windowBytes = isSingleSegment ? 0 : 1
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0
  return windowBytes + dictionaryBytes + sizeBytes
}

function littleEndian(bytes: readonly number[]): number {
  return bytes.reduce((value, byte, index) => value + byte * 256 ** index, 0)
}

/** RFC 8878 section 3.1.2. */
const FIRST_SKIPPABLE = 0x184d2a50
const LAST_SKIPPABLE = 0x184d2a5f
