// test group: long
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { JobJson } from '../../server/http/jobs/schemas.ts'
import { type Client, download, signInOwner } from '../support/client.ts'
import { startHoldall } from '../support/executable.ts'
import { expectedSha256, type Origin, startOrigin } from '../support/origin.ts'
import { expectReadable } from '../support/readers.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

test.concurrent.each(['kill', 'stop'] as const)(
  'A job that is processing at a %s of the service resumes at the next start and completes',
  async (how) => {
    await using origin = await startOrigin()
    await using holdall = await startHoldall()
    const client = await signInOwner(holdall)
    const jobId = await stalledJob(client, origin)
    const exitCode = await holdall[how]()
    if (how === 'stop') expect(exitCode).toBe(0)
    await holdall.restart()
    const job = await client.untilEnded(jobId)
    expect(job.failure).toBeUndefined()
    expect(job.status).toBe('completed')
    using dir = tempDir()
    await download(job, dir.file('archive.zip'))
    await expectReadable(dir.file('archive.zip'), ENTRIES)
  },
  180_000,
)

test.concurrent('Entries whose bytes change while the service is down are fetched again, and the archive is correct', async () => {
  await using origin = await startOrigin()
  await using holdall = await startHoldall()
  const client = await signInOwner(holdall)
  const jobId = await stalledJob(client, origin)
  await client.until(jobId, ({ file_count }) => file_count === SIZES.length - 1)
  const storedRows = () => {
    using db = new Database(join(holdall.dataDir, 'holdall.db'), { readonly: true })
    return db
      .query<{ end: number }, []>(
        `SELECT offset + header_bytes + compressed_bytes AS end FROM entries WHERE status = 'stored'`,
      )
      .all()
  }
  await until('all entries but the last have a row', () => storedRows().length === SIZES.length - 1)
  await holdall.kill()
  const part = openSync(join(holdall.dataDir, `archives/${jobId}.zip.part`), 'r+')
  for (const { end } of storedRows()) writeSync(part, 'changed', end - 10)
  closeSync(part)
  await holdall.restart()
  const job = await client.untilEnded(jobId)
  expect(job.status).toBe('completed')
  using dir = tempDir()
  await download(job, dir.file('archive.zip'))
  await expectReadable(dir.file('archive.zip'), ENTRIES)
}, 180_000)

test.concurrent('After a kill the service still has its completed jobs and their archives', async () => {
  await using origin = await startOrigin()
  await using holdall = await startHoldall()
  const client = await signInOwner(holdall)
  const done = await client.untilEnded(await client.createJob({ urls: [origin.url('/files/report.pdf')] }))
  await holdall.kill()
  await holdall.restart()
  const again = await client.getJob(done.id)
  // It listens at another port.
  const apartFromPort = (job: JobJson) => ({
    ...job,
    download_url: null,
    share_url: new URL(job.share_url ?? '').pathname,
  })
  expect(apartFromPort(again)).toEqual(apartFromPort(done))
  using dir = tempDir()
  await download(again, dir.file('archive.zip'))
})

test.concurrent('A job fails with a clear error after the service has crashed ten times during it, and a retry completes it', async () => {
  await using origin = await startOrigin()
  await using holdall = await startHoldall()
  const client = await signInOwner(holdall)
  const urls = [origin.url('/bytes/1000/a.bin?stall_at=10&times=10')]
  const jobId = await client.createJob({ urls })
  for (let deaths = 1; deaths <= 10; deaths++) {
    await client.until(jobId, () => origin.requestCount() === deaths)
    await holdall.kill()
    await holdall.restart()
  }
  const failed = await client.untilEnded(jobId)
  expect(failed).toMatchObject({ status: 'failed', failure: { code: 'INTERNAL_ERROR' } })
  expect(failed.failure?.message).toContain('A retry continues')
  expect(origin.requestCount()).toBe(10)
  await client.request('POST', `/jobs/${jobId}/retry`)
  expect(await client.untilEnded(jobId)).toMatchObject({ status: 'completed' })
}, 180_000)

const SIZES = [1_000, 20_000, 3_000_000, 5_000_000]
const ENTRIES = SIZES.map((sizeBytes) => ({
  name: `${sizeBytes}.bin`,
  sha256: expectedSha256(sizeBytes),
  sizeBytes,
}))

/**
 * Creates a job whose last body stalls in the middle of its first response, and waits until all bodies are requested.
 */
async function stalledJob(client: Client, origin: Origin): Promise<string> {
  const stalled = (sizeBytes: number) => (sizeBytes === 5_000_000 ? '?stall_at=2000000&times=1' : '')
  const urls = SIZES.map((size) => origin.url(`/bytes/${size}/${size}.bin${stalled(size)}`))
  const jobId = await client.createJob({ urls })
  await client.until(jobId, ({ status }) => status === 'processing' && origin.requestCount() === SIZES.length)
  return jobId
}
