import { open } from 'node:fs/promises'
import { filePieces } from '../archive/reading/local-archive.ts'
import type { ArchiveReader } from '../archive/reading/reader.ts'
import { whenDescriptorIsFree } from '../files/open-file.ts'

/**
 * The bytes of a finished archive, on the local disk or in the archive store. Reading them throws a StoreError when the archive store
 * does not send them.
 */
export interface ArchiveContent extends ArchiveReader {
  /** Absolute path of the file that contains them; null when they are in the archive store. */
  readonly path: string | null
  /** @param pieceBytes how long a piece of a file may be; pieces of an object are as long as they arrive */
  pieces(
    offset: number,
    lengthBytes: number,
    pieceBytes?: number,
  ): AsyncGenerator<Uint8Array<ArrayBuffer>, void>
  /** A link by which anyone gets them from the archive store; null when they go through this service. */
  linkFor(request: LinkRequest): Promise<string | null>
}

/** A request of a client that a link answers. */
export interface LinkRequest {
  readonly method: 'GET' | 'HEAD'
  /** The `Content-Disposition` of the response. */
  readonly disposition: string
  readonly lifetimeSeconds: number
}

/** An archive on the local disk. The file is open only while it is read. */
export function localContent(path: string): ArchiveContent {
  return {
    path,
    async *pieces(offset, lengthBytes, pieceBytes) {
      const file = await whenDescriptorIsFree(() => open(path))
      try {
        yield* filePieces(file.fd, offset, lengthBytes, pieceBytes)
      } finally {
        await file.close()
      }
    },
    linkFor: () => Promise.resolve(null),
  }
}
