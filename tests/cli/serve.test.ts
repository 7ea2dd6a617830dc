import { expect, test } from 'bun:test'
import { runCommand } from '../support/holdall-command.ts'
import { startService } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

test.each(['127.0.0.1', '0.0.0.0'])(
  'a second service at the same address does not start, and names the address that is in use: %s',
  async (host) => {
    await using service = await startService()
    const address = `${host}:${new URL(service.origin).port}`
    using data = tempDir()
    expect(await runCommand(['--listen', address, '--data', data.file('data'), '--no-open'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `holdall: ${address} is in use. Choose another address with --listen.\n`,
    })
    expect((await service.request('GET', '/health')).status).toBe(200)
  },
)
