import JSZip from 'jszip'
import CompressedObject from 'jszip/lib/compressedObject'
import compressions from 'jszip/lib/compressions'
import type { CompressedBody } from './compress.ts'

/** A body, and the name under which JSZip packs it. */
export interface BlockDraft {
  readonly body: CompressedBody
  readonly placeholder: string
}

export interface BlockOutput {
  /** Local headers and contents, by their offset in the block, in order. */
  readonly chunks: ReadonlyMap<number, Uint8Array>
  /** The block's own central directory. */
  readonly directory: Uint8Array
}

/**
 * Packs a block with JSZip. Keeps the output in the pieces that JSZip produces: each is one header or one content.
 * @param localBytes length of all local headers and contents
 */
export function runJSZip(drafts: readonly BlockDraft[], localBytes: number): Promise<BlockOutput> {
  const zip = new JSZip()
  for (const { body, placeholder } of drafts) {
    const compression = body.method === 8 ? 'DEFLATE' : 'STORE'
    const { content, sizeBytes, crc32 } = body
    const object = new CompressedObject(content.length, sizeBytes, crc32, compressions[compression], content)
    zip.file(placeholder, object, { binary: true, createFolders: false, compression })
  }
  const { promise, resolve, reject } = Promise.withResolvers<BlockOutput>()
  const chunks = new Map<number, Uint8Array>()
  const directory: Uint8Array[] = []
  let position = 0
  zip
    .generateInternalStream({ type: 'uint8array', streamFiles: false })
    .on('data', (chunk) => {
      if (position < localBytes) chunks.set(position, chunk)
      else directory.push(chunk)
      position += chunk.length
    })
    .on('error', reject)
    .on('end', () => resolve({ chunks, directory: Buffer.concat(directory) }))
    .resume()
  return promise
}
