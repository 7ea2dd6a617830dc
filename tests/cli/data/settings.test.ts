import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { runCommand } from '../../support/holdall-command.ts'
import { startService } from '../../support/service.ts'
import { tempDir } from '../../support/temp-dir.ts'

test('settings code prints the code that confirms a change, until it is used', async () => {
  await using service = await startService()
  const print = async () => {
    const { stdout, exitCode } = await runCommand(['settings', 'code', '--data', service.dataDir])
    expect(exitCode).toBe(0)
    return stdout.trim()
  }
  const code = await print()
  expect(code).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/)
  expect(await print()).toBe(code)
  const body = { base_url: 'https://zip.example', code }
  expect((await service.request('PATCH', '/service/settings', { body })).status).toBe(200)
  expect(await print()).not.toBe(code)
})

test('settings lists what the owner has set, without passwords, and what a flag overrides', async () => {
  await using service = await startService()
  const code = readFileSync(`${service.dataDir}/settings-code`, 'utf8')
  const body = { jobs: 3, plans: { free: { max_urls: 7 } }, proxy: 'http://ann:s3cret@proxy.example', code }
  await service.request('PATCH', '/service/settings', { body })
  const { stdout } = await runCommand(['settings', '--data', service.dataDir, '--jobs', '5'])
  expect(stdout.trim().split('\n')).toEqual([
    'jobs\t3\tunused',
    'plans\t{"free":{"max_urls":7}}',
    'proxy\t...',
  ])
})

test('sign-in-link uses the base URL that the owner has set, also while no service runs', async () => {
  await using service = await startService()
  const code = readFileSync(`${service.dataDir}/settings-code`, 'utf8')
  const body = { base_url: 'https://zip.example', code }
  await service.request('PATCH', '/service/settings', { body })
  const link = async () => (await runCommand(['sign-in-link', '--data', service.dataDir])).stdout
  expect(await link()).toStartWith('https://zip.example/sign-in#')
  await service.whileStopped(async () => {
    expect(await link()).toStartWith('https://zip.example/sign-in#')
  })
})

test('settings code says when no service runs, and settings when the file can’t be used', async () => {
  using dir = tempDir()
  const stopped = await runCommand(['settings', 'code', '--data', dir.file('data')])
  expect([stopped.exitCode, stopped.stderr]).toEqual([1, expect.stringContaining('No Holdall runs')])
  writeFileSync(dir.file('settings.json'), '{"settings":{"jobs":"many"}}')
  const damaged = await runCommand(['settings', '--data', dir.path])
  expect([damaged.exitCode, damaged.stderr]).toEqual([
    1,
    expect.stringContaining('jobs: expected a whole number'),
  ])
})
