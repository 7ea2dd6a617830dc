import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { startService } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const MAIN = join(import.meta.dir, '../../server/main.ts')

test.each(['127.0.0.1', '0.0.0.0'])(
  'a second service at the same address does not start, and names the address that is in use: %s',
  async (host) => {
    await using service = await startService()
    const address = `${host}:${new URL(service.origin).port}`
    using data = tempDir()
    const child = Bun.spawn(
      [process.execPath, MAIN, '--listen', address, '--data', data.file('data'), '--no-open'],
      { env: { PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
    expect(await child.exited).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toBe(`holdall: ${address} is in use. Choose another address with --listen.\n`)
    expect((await service.request('GET', '/health')).status).toBe(200)
  },
)
