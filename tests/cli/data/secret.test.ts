import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { forFile } from '../../support/for-file.ts'
import { runCommand } from '../../support/holdall-command.ts'
import { startService, type TestService } from '../../support/service.ts'
import { startSources } from '../../support/sources.ts'
import { tempDir } from '../../support/temp-dir.ts'

const sources = forFile(startSources())

test('secret rotate gives new links, and old ones work on, while the service runs and after a restart', async () => {
  await using service = await startService()
  const { id, download_url: before } = await service.finishedJob([sources.url('/ok/a')])
  expect(await rotate(service.dataDir)).toMatchObject({ exitCode: 0, stderr: '' })
  const after = await linkOf(service, id)
  expect(new URL(after).pathname).not.toBe(new URL(before).pathname)
  expect(await statuses(service, [before, after])).toEqual([200, 200])
  await service.restart()
  expect(await statuses(service, [before, after])).toEqual([200, 200])
})

test('secret rotate --end-links ends all links from before', async () => {
  await using service = await startService()
  const { id, download_url: first } = await service.finishedJob([sources.url('/ok/a')])
  await rotate(service.dataDir)
  const second = await linkOf(service, id)
  expect(await rotate(service.dataDir, '--end-links')).toMatchObject({ exitCode: 0, stderr: '' })
  expect(await statuses(service, [first, second, await linkOf(service, id)])).toEqual([403, 403, 200])
})

test('A file of secrets that is damaged while the service runs ends no links, and is not rotated', async () => {
  await using service = await startService()
  const { download_url } = await service.finishedJob([sources.url('/ok/a')])
  await Bun.write(`${service.dataDir}/signing-secrets.json`, '[')
  expect(await statuses(service, [download_url])).toEqual([200])
  const { exitCode, stderr } = await rotate(service.dataDir)
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('contains no readable secrets')])
})

test('secret rotate makes no data directory', async () => {
  using dir = tempDir()
  const { exitCode, stderr } = await rotate(dir.file('data'))
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('--data')])
  expect(existsSync(dir.file('data'))).toBe(false)
})

function rotate(dataDir: string, ...more: readonly string[]) {
  return runCommand(['secret', 'rotate', '--data', dataDir, ...more])
}

async function linkOf(service: TestService, id: string): Promise<string> {
  return (await service.request('GET', `/jobs/${id}`)).body.job.download_url
}

/** By path, since a restarted service has another port. */
function statuses(service: TestService, links: readonly string[]): Promise<number[]> {
  return Promise.all(links.map(async (link) => (await fetch(service.origin + new URL(link).pathname)).status))
}
