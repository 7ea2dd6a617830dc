import { expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { lockFile } from '../../../server/data/file-lock.ts'
import { runCommand } from '../../support/holdall-command.ts'
import { startService } from '../../support/service.ts'
import { tempDir } from '../../support/temp-dir.ts'

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

test('a second start on the same data directory prints the address of the running service, and succeeds', async () => {
  await using service = await startService()
  const second = await runCommand(['--listen', '127.0.0.1:0', '--data', service.dataDir, '--no-open'])
  expect(second).toEqual({
    exitCode: 0,
    stdout: `Holdall already runs on this data directory: ${service.origin}\n`,
    stderr: '',
  })
  expect((await service.request('GET', '/health')).status).toBe(200)
})

test('a second start fails when the service that holds the data directory does not respond', async () => {
  using data = tempDir()
  mkdirSync(data.file('data'))
  using _lock = lockFile(data.file('data/service.lock'))
  const second = await runCommand(['--listen', '127.0.0.1:0', '--data', data.file('data'), '--no-open'])
  expect([second.exitCode, second.stderr]).toEqual([1, expect.stringContaining('Another Holdall runs on')])
})
