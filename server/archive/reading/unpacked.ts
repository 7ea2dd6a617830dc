import type { ArchiveReader } from './reader.ts'

/** Where the body of an entry is in an archive, and what it must decompress to. */
export interface PackedBody {
  /** Offset of the local file header. */
  readonly offset: number
  /** Length of the local file header. The body follows it. */
  readonly headerBytes: number
  readonly compressedBytes: number
  readonly sizeBytes: number
  /** CRC-32 of the uncompressed body (APPNOTE 4.4.7). */
  readonly crc32: number
  readonly method: 0 | 8
}

/** What is wrong with a body. */
export type BodyFault = 'unreadable' | 'invalid' | 'size' | 'crc'

/** Thrown when the bytes of an entry are not those that were packed. */
export class DamagedBody extends Error {
  override readonly name = 'DamagedBody'
  readonly fault: BodyFault

  constructor(fault: BodyFault) {
    super(FAULTS[fault])
    this.fault = fault
  }
}

/** Thrown when bytes are not valid DEFLATE, or are that of a longer body. */
export class InvalidDeflate extends Error {
  override readonly name = 'InvalidDeflate'
}

export type Pieces = AsyncIterable<Uint8Array<ArrayBuffer>>

/** What a browser does in other ways than Bun. */
export interface Codecs {
  /** @param before the CRC-32 of the bytes before the piece */
  crc32(piece: Uint8Array<ArrayBuffer>, before: number): number
  /** @throws InvalidDeflate */
  inflated(
    stored: Pieces,
    body: { readonly compressedBytes: number; readonly sizeBytes: number },
    pieceBytes?: number,
  ): Pieces
  sha256(): Sha256
}

export interface Sha256 {
  update(piece: Uint8Array<ArrayBuffer>): void
  /** 64 digits in lower case. */
  hex(): string
}

/**
 * The decompressed body of an entry in pieces, each read when the consumer asks for it, in bounded memory. The last piece comes
 * only when the size and the CRC-32 of the whole body are right, so a consumer that gets all pieces has the right bytes.
 * @param pieceBytes how long a decompressed piece may be; one that was not compressed is as `reader` gives it
 * @throws DamagedBody in place of the last piece, or earlier: the body is cut off, changed, or on an unreadable part of the disk
 */
export async function* unpackedBody(
  reader: ArchiveReader,
  body: PackedBody,
  codecs: Pick<Codecs, 'crc32' | 'inflated'>,
  pieceBytes?: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  let storedBytes = 0
  const stored = (async function* () {
    const start = body.offset + body.headerBytes
    for await (const piece of reader.pieces(start, body.compressedBytes)) {
      storedBytes += piece.length
      yield piece
    }
    if (storedBytes < body.compressedBytes) throw new DamagedBody('unreadable')
  })()
  let held: Uint8Array<ArrayBuffer> | null = null
  let sizeBytes = 0
  let crc32 = 0
  try {
    for await (const piece of body.method === 8 ? codecs.inflated(stored, body, pieceBytes) : stored) {
      sizeBytes += piece.length
      crc32 = codecs.crc32(piece, crc32)
      // Damaged bytes can decompress to any size.
      if (sizeBytes > body.sizeBytes) break
      if (held !== null) yield held
      held = piece
    }
  } catch (error) {
    throw error instanceof InvalidDeflate ? new DamagedBody('invalid') : error
  }
  if (sizeBytes !== body.sizeBytes) throw new DamagedBody('size')
  if (crc32 !== body.crc32) throw new DamagedBody('crc')
  if (held !== null) yield held
}

/**
 * Reads the whole body of an entry.
 * @param unpacked called with each of its decompressed pieces, those of a damaged body among them
 * @returns what is wrong with it; null if it is the one that was packed
 */
export async function faultOf(
  reader: ArchiveReader,
  body: PackedBody,
  codecs: Pick<Codecs, 'crc32' | 'inflated'>,
  unpacked: (piece: Uint8Array<ArrayBuffer>) => void,
): Promise<BodyFault | null> {
  try {
    for await (const piece of unpackedBody(reader, body, codecs)) unpacked(piece)
    return null
  } catch (error) {
    if (error instanceof DamagedBody) return error.fault
    throw error
  }
}

const FAULTS: Readonly<Record<BodyFault, string>> = {
  unreadable: 'the body ends early',
  invalid: 'the body is not valid DEFLATE',
  size: 'the size of the body differs',
  crc: 'the CRC-32 of the body differs',
}
