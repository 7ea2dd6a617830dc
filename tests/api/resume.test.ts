import { describe, expect, test } from 'bun:test'
import { existsSync, statSync } from 'node:fs'
import { downloadArchive } from '../support/archive.ts'
import { forFile } from '../support/for-file.ts'
import { startService } from '../support/service.ts'
import { sha256, sha256OfFile } from '../support/sha256.ts'
import { tempDir } from '../support/temp-dir.ts'

/** A client at `RATE` is still downloading when it is killed. */
const SIZE_BYTES = 8 * 1024 * 1024
const RATE = '2M'

const body = crypto.getRandomValues(new Uint8Array(65_536))
const large = Buffer.concat(Array.from({ length: SIZE_BYTES / body.length }, () => body))
const origin = forFile(Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(large) }))
const service = forFile(await startService())
const job = await service.finishedJob([`${origin.url}large.bin`])
const expected = sha256((await downloadArchive(job.download_url)).bytes)

const CLIENTS: readonly [string, (path: string, rate: string[]) => string[], string[]][] = [
  ['curl', (path, rate) => ['curl', '-sf', '-C', '-', '-o', path, ...rate], ['--limit-rate', RATE]],
  ['wget', (path, rate) => ['wget', '-q', '-c', '-O', path, ...rate], [`--limit-rate=${RATE}`]],
  [
    'aria2c',
    (path, rate) => [
      'aria2c',
      '-q',
      '-x8',
      '-s8',
      '-k1M',
      '-c',
      '--file-allocation=none',
      '-d',
      '/',
      '-o',
      path,
      ...rate,
    ],
    [`--max-overall-download-limit=${RATE}`],
  ],
]

describe('4.8 Downloads are resumable', () => {
  test.each(CLIENTS.filter(([name]) => Bun.which(name) !== null))(
    'after a kill, %s resumes its download, and the file is correct',
    async (_name, command, slowly) => {
      using dir = tempDir()
      const path = dir.file('archive.zip')
      const first = start([...command(path, slowly), job.download_url])
      while (!hasBegun(path)) await Bun.sleep(10)
      first.kill('SIGKILL')
      await first.exited
      expect(first.signalCode).toBe('SIGKILL')
      expect(statSync(path).size).toBeGreaterThan(0)
      const again = start([...command(path, []), job.download_url])
      expect(await again.exited).toBe(0)
      expect(await sha256OfFile(path)).toBe(expected)
    },
    30_000,
  )
})

function start(command: string[]) {
  return Bun.spawn(command, { stdio: ['ignore', 'ignore', 'ignore'], env: { PATH: process.env.PATH } })
}

function hasBegun(path: string): boolean {
  return existsSync(path) && statSync(path).size > 256 * 1024
}
