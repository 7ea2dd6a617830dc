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

type Command = (path: string) => string[]

const curl: Command = (path) => ['curl', '-sf', '-C', '-', '-o', path]
const wget: Command = (path) => ['wget', '-q', '-c', '-O', path]
const aria2c = (connections: number): Command => {
  const options = [`-x${connections}`, `-s${connections}`, '-k1M', '-c', '--file-allocation=none']
  return (path) => ['aria2c', '-q', ...options, '-d', '/', '-o', path]
}

/** Each with the command that is killed, and the one that resumes. */
const CLIENTS: readonly [string, Command, Command][] = [
  ['curl', curl, curl],
  ['wget', wget, wget],
  // With several connections, the first bytes to arrive may be those behind the limit at which it is killed.
  ['aria2c', aria2c(1), aria2c(8)],
]

describe('4.8 Downloads are resumable', () => {
  test.each(CLIENTS.filter(([name]) => Bun.which(name) !== null))(
    'after a kill, %s resumes its download, and the file is correct',
    async (_name, killed, resuming) => {
      using dir = tempDir()
      const path = dir.file('archive.zip')
      expect(await killDownload([...killed(path), job.download_url])).toBe('SIGXFSZ')
      expect(statSync(path).size).toBeGreaterThan(0)
      const again = Bun.spawn([...resuming(path), job.download_url], {
        stdio: ['ignore', 'ignore', 'ignore'],
      })
      expect(await again.exited).toBe(0)
      expect(await sha256OfFile(path)).toBe(expected)
    },
  )
})
