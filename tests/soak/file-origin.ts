import { closeSync, openSync, truncateSync, writeSync } from 'node:fs'
import { expectedBytes } from '../support/origin.ts'
import type { ExpectedEntry } from '../support/readers.ts'
import { sha256OfFile } from '../support/sha256.ts'
import { tempDir } from '../support/temp-dir.ts'

/**
 * An origin of huge bodies that uses almost no disk space, CPU time or memory: `/SIZE/NAME`, with a declared length.
 */
export interface FileOrigin extends AsyncDisposable {
  url(sizeBytes: number, name: string): string
  /** The expected entry for such a URL. */
  entry(sizeBytes: number, name: string): Promise<ExpectedEntry>
}

export function startFileOrigin(): FileOrigin {
  const dir = tempDir()
  const files = new Map<number, string>()
  const digests = new Map<number, string>()
  const fileOf = (sizeBytes: number): string => {
    const path = files.get(sizeBytes) ?? generate(dir.file(String(sizeBytes)), sizeBytes)
    files.set(sizeBytes, path)
    return path
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch(request) {
      const [, sizeBytes, name] = new URL(request.url).pathname.split('/')
      // Otherwise Bun sends the name of its file.
      const headers = { 'content-disposition': `attachment; filename="${name}"` }
      return new Response(Bun.file(fileOf(Number(sizeBytes))), { headers })
    },
  })
  return {
    url: (sizeBytes, name) => new URL(`/${sizeBytes}/${name}`, server.url).href,
    async entry(sizeBytes, name) {
      const digest = digests.get(sizeBytes) ?? (await sha256OfFile(fileOf(sizeBytes)))
      digests.set(sizeBytes, digest)
      return { name, sizeBytes, sha256: digest }
    },
    async [Symbol.asyncDispose]() {
      await server.stop(true)
      dir[Symbol.dispose]()
    },
  }
}

/** A sparse file with a unique marker every 64 MiB, so that misplaced bytes are detected. */
function generate(path: string, sizeBytes: number): string {
  const fd = openSync(path, 'w')
  for (let at = 0; at < sizeBytes; at += STAMP_DISTANCE_BYTES) {
    const stamp = expectedBytes(Math.min(STAMP_BYTES, sizeBytes - at), at / STAMP_DISTANCE_BYTES + 1)
    writeSync(fd, stamp, 0, stamp.length, at)
  }
  closeSync(fd)
  truncateSync(path, sizeBytes)
  return path
}

const STAMP_DISTANCE_BYTES = 64 * 1024 * 1024
const STAMP_BYTES = 4096
