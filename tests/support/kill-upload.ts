import { expect } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { download, signInOwner } from './client.ts'
import { startHoldall } from './executable.ts'
import type { ObjectStore } from './object-store.ts'
import { startOrigin } from './origin.ts'
import { expectReadable } from './readers.ts'
import { seededRandom } from './seeded-random.ts'
import { storedJob } from './stored-job.ts'
import { tempDir } from './temp-dir.ts'
import { until } from './until.ts'

/**
 * Kills the executable (SIGKILL) at random moments after an archive was packed and began to be uploaded, and restarts it. Expects
 * that every archive is in the store once, correct to the byte, and that nothing else is left.
 */
export async function expectKilledUploadsComplete(
  store: ObjectStore,
  kills: number,
  seed: number,
): Promise<void> {
  const random = seededRandom(seed)
  const prefix = `kills-${seed}`
  await using origin = await startOrigin()
  await using holdall = await startHoldall({
    args: ['--archive-store', store.address(prefix), '--log-format', 'text'],
    env: store.env,
  })
  const client = await signInOwner(holdall)
  const archives = join(holdall.dataDir, 'archives')
  const jobs: { id: string; entries: ReturnType<typeof storedJob>['entries'] }[] = []
  for (let kill = 0; kill < kills; kill++) {
    const { urls, entries } = storedJob(origin, kill + 1)
    const id = await client.createJob({ urls })
    jobs.push({ id, entries })
    const packed = `job packed: its archive is uploaded job=${id}`
    await until('the job is packed', () => holdall.output().includes(packed), { everyMs: 2 })
    await Bun.sleep(random() * MAX_DELAY_MS)
    await holdall.kill()
    await holdall.restart()
  }
  using dir = tempDir()
  for (const { id, entries } of jobs) {
    const job = await client.untilEnded(id, 120_000)
    expect(job.status).toBe('completed')
    await download(job, dir.file('a.zip'))
    await expectReadable(dir.file('a.zip'), entries)
  }
  const objects = (await store.objects()).filter((name) => name.startsWith(`${prefix}/`))
  const uuidOf = (name: string) => name.slice(prefix.length + 1, prefix.length + 37)
  expect(objects.map(uuidOf)).toEqual(jobs.map(({ id }) => id).toSorted())
  const hasZip = () => readdirSync(archives).some((name) => name.includes('.zip'))
  await until(
    'nothing is left of the uploads',
    async () => (await store.unfinishedUploads()) === 0 && !hasZip(),
  )
}

/** As long as an upload takes on a machine that does little else. */
const MAX_DELAY_MS = 1_000
