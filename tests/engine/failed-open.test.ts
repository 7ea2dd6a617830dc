import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readlinkSync } from 'node:fs'
import { startOrigin } from '../support/origin.ts'
import { tempDir } from '../support/temp-dir.ts'
import { testJob } from '../support/test-job.ts'

/** The files in a directory that this process has open. Empty if the system does not list them. */
function openFilesIn(directory: string): string[] {
  if (!existsSync('/proc/self/fd')) return []
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    const link = `/proc/self/fd/${descriptor}`
    const path = existsSync(link) ? readlinkSync(link) : ''
    return path.startsWith(directory) ? [path] : []
  })
}

/** Each would leave its descriptors open. */
const RETRIES = 3

test('a job whose archive already exceeds its size limit fails, and closes what it has opened', async () => {
  await using origin = await startOrigin()
  using dir = tempDir()
  const job = testJob(dir.file('a.zip'), [origin.url('/bytes/5000/a.bin'), origin.url('/status/404')])
  expect(await job.run({ order: { failOnUrlError: true } })).toMatchObject({ status: 'failed' })
  for (let retry = 0; retry < RETRIES; retry++) {
    const outcome = await job.run({ order: { maxZipBytes: 100 } })
    expect(outcome).toMatchObject({ failure: { code: 'ZIP_SIZE_EXCEEDED' } })
  }
  expect(openFilesIn(dir.path)).toEqual([])
})

test('a job whose archive cannot be opened closes its base', async () => {
  await using origin = await startOrigin()
  using dir = tempDir()
  const urls = [origin.url('/bytes/5000/a.bin')]
  expect(await testJob(dir.file('base.zip'), urls).run()).toMatchObject({ status: 'completed' })
  mkdirSync(dir.file('a.zip.part'))
  const base = { path: dir.file('base.zip'), link: null, reuse: 'all', keepFrom: null } as const
  for (let retry = 0; retry < RETRIES; retry++)
    await expect(testJob(dir.file('a.zip'), urls).run({ order: { base } })).rejects.toThrow('EISDIR')
  expect(openFilesIn(dir.path)).toEqual([])
})

test('a job whose base cannot be opened closes its archive', async () => {
  await using origin = await startOrigin()
  using dir = tempDir()
  const base = { path: dir.path, link: null, reuse: 'all', keepFrom: null } as const
  const job = testJob(dir.file('a.zip'), [origin.url('/bytes/5000/a.bin')])
  await job.run({ order: { base } }).catch(() => {})
  expect(openFilesIn(dir.path)).toEqual([])
})
