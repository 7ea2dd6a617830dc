import type { ArchiveReader } from '../reading/reader.ts'
import { type BodyFault, type Codecs, faultOf, type PackedBody } from '../reading/unpacked.ts'

export interface BodyToCheck extends PackedBody {
  readonly isHashed: boolean
}

export interface BodyResult {
  /** Null if the body is right. */
  readonly fault: BodyFault | null
  /** Where it was asked for, and the body is right. */
  readonly sha256: string | null
}

/** Reads bodies and compares them with their CRC-32: here, or in other threads. */
export interface BodyChecker {
  /** How many batches it takes at once. */
  readonly parallel: number
  /** @param read called with the number of bytes that were read since the last call */
  check(batch: readonly BodyToCheck[], read: (bytes: number) => void): Promise<readonly BodyResult[]>
}

/** Checks bodies one after the other, in the thread of its caller. */
export async function checkBodies(
  reader: ArchiveReader,
  batch: readonly BodyToCheck[],
  codecs: Codecs,
  read: (bytes: number) => void,
): Promise<readonly BodyResult[]> {
  const counting: ArchiveReader = {
    async *pieces(offset, lengthBytes) {
      for await (const piece of reader.pieces(offset, lengthBytes)) {
        read(piece.length)
        yield piece
      }
    },
  }
  const results: BodyResult[] = []
  for (const body of batch) results.push(await checkBody(counting, body, codecs))
  return results
}

async function checkBody(reader: ArchiveReader, body: BodyToCheck, codecs: Codecs): Promise<BodyResult> {
  const hasher = body.isHashed ? codecs.sha256() : null
  const fault = await faultOf(reader, body, codecs, (piece) => hasher?.update(piece))
  return { fault, sha256: fault === null ? (hasher?.hex() ?? null) : null }
}
