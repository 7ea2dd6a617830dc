import { damaged, type StoredMember } from './members.ts'
import type { ReadableFile } from './readable-file.ts'
import { readTarHeader, TAR_BLOCK_BYTES, TAR_END_BYTES, tarPaddingBytes } from './tar.ts'

/**
 * The files of a backup that is one tar archive, in the order in which they were written. Accepts only what `openTarWriter`
 * writes: any other byte is damage.
 * @param path of the backup, for messages
 */
export async function* tarMembers(
  path: string,
  file: ReadableFile,
  stop: AbortSignal,
): AsyncGenerator<StoredMember> {
  let offset = 0
  const endOffset = file.sizeBytes - TAR_END_BYTES
  while (offset < endOffset) {
    const header = await readAll(file, offset, TAR_BLOCK_BYTES, stop)
    const entry = readTarHeader(header)
    if (entry === null) throw damaged(path, `byte ${offset} begins no file`)
    const bodyAt = offset + TAR_BLOCK_BYTES
    const bodyEnd = bodyAt + entry.sizeBytes
    offset = bodyEnd + tarPaddingBytes(entry.sizeBytes)
    if (offset > endOffset) throw damaged(path, `it ends in ${entry.name}`)
    await expectZeros(bodyEnd, offset)
    yield {
      name: entry.name,
      sizeBytes: entry.sizeBytes,
      modifiedAtMs: entry.modifiedAtSeconds * 1000,
      pieces: () => file.pieces(bodyAt, entry.sizeBytes, stop),
    }
  }
  if (offset !== endOffset) throw damaged(path, 'its end is missing')
  await expectZeros(endOffset, file.sizeBytes)

  async function expectZeros(from: number, to: number): Promise<void> {
    const bytes = await readAll(file, from, to - from, stop)
    if (bytes.length !== to - from || bytes.some((byte) => byte !== 0))
      throw damaged(path, `there are bytes after ${from} that belong to no file`)
  }
}

async function readAll(
  file: ReadableFile,
  from: number,
  lengthBytes: number,
  stop: AbortSignal,
): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of file.pieces(from, lengthBytes, stop)) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}
