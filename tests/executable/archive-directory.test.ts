import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, clientOf, signIn } from '../support/client.ts'
import { type Holdall, startHoldall } from '../support/executable.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { type TempDir, tempDir } from '../support/temp-dir.ts'

const EXECUTABLE = join(import.meta.dir, '../../dist/holdall')

let origin: Origin
let dir: TempDir
let holdall: Holdall
let client: Client

beforeAll(async () => {
  origin = await startOrigin()
  dir = tempDir()
  holdall = await startHoldall({ args: ['--archives', dir.file('archives')] })
  client = clientOf(() => holdall.address, (await signIn(await holdall.signInLink())).key)
})
afterAll(async () => {
  await holdall[Symbol.asyncDispose]()
  dir[Symbol.dispose]()
  await origin[Symbol.asyncDispose]()
})

/** Another service on the same archives, which is expected to end by itself. */
function serveOn(data: string) {
  const args = ['--data', data, '--archives', dir.file('archives'), '--listen', '127.0.0.1:0', '--no-open']
  const { exitCode, stderr } = Bun.spawnSync([EXECUTABLE, ...args], { env: { HOME: dir.path } })
  return { exitCode, lines: stderr.toString().trim().split('\n') }
}

async function archive(): Promise<string> {
  const jobId = await client.createJob({ urls: [origin.url('/bytes/1000/a.bin')] })
  expect((await client.untilEnded(jobId)).status).toBe('completed')
  return jobId
}

const archives = () => readdirSync(dir.file('archives')).filter((name) => name.endsWith('.zip'))

test('another data directory is refused on the same archives, while the first one runs and when it was killed', async () => {
  const jobId = await archive()
  for (const [sentence, state] of [
    [/Another Holdall uses the archive directory .*--archives/, 'runs'],
    [/belongs to another database .*--data.*--archives/, 'was killed'],
  ] as const) {
    if (state === 'was killed') await holdall.kill()
    const { exitCode, lines } = serveOn(dir.file('other'))
    expect([state, exitCode, lines]).toEqual([state, 1, [expect.stringMatching(sentence)]])
    expect(archives()).toEqual([`${jobId}.zip`])
  }
  await holdall.restart()
  const { download_url = '' } = await client.getJob(jobId)
  expect((await fetch(download_url)).status).toBe(200)
})

test('a copy of the data directory is kept out by the lock, which ends with the process that holds it', async () => {
  cpSync(holdall.dataDir, dir.file('copy'), { recursive: true })
  rmSync(join(dir.file('copy'), 'service-origin'))
  const { exitCode, lines } = serveOn(dir.file('copy'))
  expect([exitCode, lines]).toEqual([
    1,
    [expect.stringContaining('Another Holdall uses the archive directory')],
  ])
  await holdall.kill()
  await holdall.restart()
  await archive()
})

test('no start after a kill in the middle of deletions leaves bytes behind, or takes any that are wanted', async () => {
  const kept = await Promise.all([archive(), archive()])
  const before = archives().length
  const doomed = await Promise.all(Array.from({ length: 10 }, archive))
  const deletions = doomed.map((jobId) => client.request('DELETE', `/jobs/${jobId}`).catch(() => null))
  await Promise.race(deletions)
  await holdall.kill()
  await Promise.all(deletions)
  await holdall.restart()

  // What the rows say is what lies there, once the first sweep is done.
  const listed = async () => {
    const response = await client.request('GET', '/jobs?limit=100')
    const { jobs }: { jobs: { id: string }[] } = JSON.parse(await response.text())
    return jobs.map(({ id }) => `${id}.zip`).sort()
  }
  const wanted = await listed()
  while (archives().length > wanted.length) await Bun.sleep(20)
  expect(archives().sort()).toEqual(wanted)
  expect(wanted.length).toBeGreaterThanOrEqual(before)
  expect(wanted).toEqual(expect.arrayContaining(kept.map((jobId) => `${jobId}.zip`)))
  expect(readdirSync(dir.file('archives'))).not.toContain('set-aside')
})
