import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, signInOwner } from '../support/client.ts'
import { EXECUTABLE, type Holdall, startHoldall } from '../support/executable.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { type TempDir, tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

let origin: Origin
let dir: TempDir
let holdall: Holdall
let client: Client

beforeAll(async () => {
  origin = await startOrigin()
  dir = tempDir()
  holdall = await startHoldall({ args: ['--archives', dir.file('archives')] })
  client = await signInOwner(holdall)
})
afterAll(async () => {
  await holdall[Symbol.asyncDispose]()
  dir[Symbol.dispose]()
  await origin[Symbol.asyncDispose]()
})

/** Starts another service on the same archives, and waits for it to end by itself. */
function serveOn(data: string) {
  const args = ['--data', data, '--archives', dir.file('archives'), '--listen', '127.0.0.1:0', '--no-open']
  const { exitCode, stderr } = Bun.spawnSync([EXECUTABLE, ...args], { env: { HOME: dir.path } })
  return { exitCode, lines: stderr.toString().trim().split('\n') }
}

/** @returns the id of a completed job */
async function createArchive(): Promise<string> {
  const jobId = await client.createJob({ urls: [origin.url('/bytes/1000/a.bin')] })
  expect((await client.untilEnded(jobId)).status).toBe('completed')
  return jobId
}

const listArchives = () => readdirSync(dir.file('archives')).filter((name) => name.endsWith('.zip'))

test('a service with another data directory cannot use the archives, neither while the first service runs nor after a kill', async () => {
  const jobId = await createArchive()
  for (const [sentence, state] of [
    [/Another Holdall uses the archive directory .*--archives/, 'runs'],
    [/belongs to another database .*--data.*--archives/, 'was killed'],
  ] as const) {
    if (state === 'was killed') await holdall.kill()
    const { exitCode, lines } = serveOn(dir.file('other'))
    expect([state, exitCode, lines]).toEqual([state, 1, [expect.stringMatching(sentence)]])
    expect(listArchives()).toEqual([`${jobId}.zip`])
  }
  await holdall.restart()
  const { download_url = '' } = await client.getJob(jobId)
  expect((await fetch(download_url)).status).toBe(200)
})

test('a copy of the data directory cannot use the archives while the first service runs, and a kill releases the lock', async () => {
  cpSync(holdall.dataDir, dir.file('copy'), { recursive: true })
  rmSync(join(dir.file('copy'), 'service-origin'))
  const { exitCode, lines } = serveOn(dir.file('copy'))
  expect([exitCode, lines]).toEqual([
    1,
    [expect.stringContaining('Another Holdall uses the archive directory')],
  ])
  await holdall.kill()
  await holdall.restart()
  await createArchive()
})

test('after a kill during deletions, the next start deletes exactly the files of deleted jobs', async () => {
  const kept = await Promise.all([createArchive(), createArchive()])
  const before = listArchives().length
  const jobIds = await Promise.all(Array.from({ length: 10 }, createArchive))
  const deletions = jobIds.map((jobId) => client.request('DELETE', `/jobs/${jobId}`).catch(() => null))
  await Promise.race(deletions)
  await holdall.kill()
  await Promise.all(deletions)
  await holdall.restart()

  const archivesOfJobs = async () => {
    const response = await client.request('GET', '/jobs?limit=100')
    const { jobs }: { jobs: { id: string }[] } = JSON.parse(await response.text())
    return jobs.map(({ id }) => `${id}.zip`).sort()
  }
  const expected = await archivesOfJobs()
  // The first sweep deletes the others.
  await until('the others are deleted', () => listArchives().length <= expected.length)
  expect(listArchives().sort()).toEqual(expected)
  expect(expected.length).toBeGreaterThanOrEqual(before)
  expect(expected).toEqual(expect.arrayContaining(kept.map((jobId) => `${jobId}.zip`)))
  expect(readdirSync(dir.file('archives'))).not.toContain('set-aside')
})
