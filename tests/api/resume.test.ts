import { describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { downloadArchive } from '../support/archive.ts'
import { forFile } from '../support/for-file.ts'
import { killDownload } from '../support/kill-download.ts'
import { startService } from '../support/service.ts'
import { sha256, sha256OfFile } from '../support/sha256.ts'
import { tempDir } from '../support/temp-dir.ts'

/** Far more than what a client receives before it is killed. */
const SIZE_BYTES = 8 * 1024 * 1024

const body = crypto.getRandomValues(new Uint8Array(65_536))
const large = Buffer.concat(Array.from({ length: SIZE_BYTES / body.length }, () => body))
const origin = forFile(Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(large) }))
const service = forFile(await startService())
const job = await service.finishedJob([`${origin.url}large.bin`])
const expected = sha256((await downloadArchive(job.download_url)).bytes)

const CLIENTS: readonly [string, (path: string) => string[]][] = [
  ['curl', (path) => ['curl', '-sf', '-C', '-', '-o', path]],
  ['wget', (path) => ['wget', '-q', '-c', '-O', path]],
  [
    'aria2c',
    (path) => ['aria2c', '-q', '-x8', '-s8', '-k1M', '-c', '--file-allocation=none', '-d', '/', '-o', path],
  ],
]

describe('4.8 Downloads are resumable', () => {
  test.each(CLIENTS.filter(([name]) => Bun.which(name) !== null))(
    'after a kill, %s resumes its download, and the file is correct',
    async (_name, command) => {
      using dir = tempDir()
      const path = dir.file('archive.zip')
      expect(await killDownload([...command(path), job.download_url])).toBe('SIGXFSZ')
      expect(statSync(path).size).toBeGreaterThan(0)
      const again = Bun.spawn([...command(path), job.download_url], { stdio: ['ignore', 'ignore', 'ignore'] })
      expect(await again.exited).toBe(0)
      expect(await sha256OfFile(path)).toBe(expected)
    },
    30_000,
  )
})
