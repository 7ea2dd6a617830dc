import type { Pieces } from '../../archive/reading/unpacked.ts'
import { Spool } from '../../archive/spool.ts'
import { releaseMemory } from '../../bytes.ts'
import { ZipSizeExceeded } from '../limits/size.ts'
import { BodyBuffer } from './body-buffer.ts'
import type { InMemoryArchive } from './in-memory.ts'
import { LARGE_BODY_BYTES } from './incoming-body.ts'
import { spoolPath } from './spooled.ts'

/** What collecting a body uses of the archive. */
type CollectingArchive = Pick<InMemoryArchive, 'partPath' | 'memory' | 'diskSpace' | 'sizeLimit'>

/**
 * Receives a whole body before it gives its first piece: into memory, or into a file when it is large or memory runs short. Only one
 * body of a source may be collected at a time.
 * @throws ZipSizeExceeded when what is received is larger than the archive may be; DiskFull when the disk has no room for it
 */
export async function* collectBody(archive: CollectingArchive, position: number, body: Pieces): Pieces {
  const { partPath, memory, diskSpace, sizeLimit } = archive
  const buffer = new BodyBuffer(memory)
  let receivedBytes = 0
  let spool: Spool | null = null
  const append = (file: Spool, piece: Uint8Array) => {
    diskSpace.ensureRoom(piece.length)
    file.append(piece)
    releaseMemory(piece)
  }
  try {
    for await (const piece of body) {
      receivedBytes += piece.length
      if (receivedBytes > sizeLimit.maxBytes) throw new ZipSizeExceeded(sizeLimit.maxBytes)
      if (spool === null && receivedBytes <= LARGE_BODY_BYTES && buffer.hasRoomFor(piece.length)) {
        buffer.append(piece)
        continue
      }
      if (spool === null) {
        spool = new Spool(`${spoolPath(partPath, position)}-encoded`)
        append(spool, buffer.take())
      }
      append(spool, piece)
    }
    if (spool === null) yield buffer.take()
    else for (const piece of spool.pieces()) yield piece.slice()
  } finally {
    buffer.take()
    spool?.[Symbol.dispose]()
  }
}
