import type { ArchiveReader } from '../../../server/archive/reading/reader.ts'
import { checkBodies } from '../../../server/archive/verifying/bodies.ts'
import { verifyArchive } from '../../../server/archive/verifying/verify-archive.ts'
import { BROWSER_CODECS } from './browser-codecs.ts'
import type { CheckMessage } from './check-zip.ts'

addEventListener('message', async ({ data: file }: MessageEvent<File>) => {
  const post = (message: CheckMessage) => postMessage(message)
  try {
    post({ type: 'checked', result: await check(file, (bytes) => post({ type: 'progress', bytes })) })
  } catch {
    post({ type: 'failed' })
  }
})

async function check(file: File, onProgress: (bytes: number) => void) {
  const reader = readerOf(file)
  let unreported = 0
  const { findings, entryCount, unpackedBytes, checksums } = await verifyArchive(reader, file.size, {
    codecs: BROWSER_CODECS,
    checker: { parallel: 1, check: (batch, read) => checkBodies(reader, batch, BROWSER_CODECS, read) },
    // The page ends the worker.
    signal: new AbortController().signal,
    progress(bytes) {
      unreported += bytes
      if (unreported < REPORT_BYTES) return
      onProgress(unreported)
      unreported = 0
    },
  })
  return { ...findings, fileCount: entryCount, unpackedBytes, checksums }
}

function readerOf(file: File): ArchiveReader {
  return {
    async *pieces(offset, lengthBytes) {
      const end = Math.min(offset + lengthBytes, file.size)
      for (let at = offset; at < end; at += PIECE_BYTES)
        yield new Uint8Array(await file.slice(at, Math.min(at + PIECE_BYTES, end)).arrayBuffer())
    },
  }
}

const PIECE_BYTES = 1024 * 1024
const REPORT_BYTES = 4 * 1024 * 1024
