import { expect, test } from 'bun:test'
import { signInOwner } from '../support/client.ts'
import { startHoldall } from '../support/executable.ts'
import { forFile } from '../support/for-file.ts'
import { openForwarder } from '../support/forwarder.ts'
import { startObjectStore } from '../support/object-store.ts'
import { startOrigin } from '../support/origin.ts'
import { startService } from '../support/service.ts'
import { expectDownloadable, storedJob } from '../support/stored-job.ts'
import { until } from '../support/until.ts'

const TEST_TIMEOUT_MS = 120_000
/** Eight parts. */
const LARGE_BYTES = 60_000_000
/** Two parts may be under way when an upload is broken off, and are then sent again. Requests have headers, too. */
const SENT_AGAIN_BYTES = 2 * 8 * 1024 * 1024 + 100_000

const store = forFile(await startObjectStore())
const origin = forFile(await startOrigin())

test(
  'After a kill, an upload continues: no part that the store has received is sent again',
  async () => {
    using forwarder = await openForwarder(() => `http://${store.host}`)
    await using holdall = await startHoldall({
      args: ['--archive-store', store.address('continued')],
      env: { ...store.env, AWS_ENDPOINT_URL: forwarder.origin },
    })
    const client = await signInOwner(holdall)
    const { urls, entries } = storedJob(origin, 1, LARGE_BYTES)
    const id = await client.createJob({ urls })
    const killsAtBytes = [30_000_000, 55_000_000]
    for (const sentBytes of killsAtBytes) {
      await until(`${sentBytes} bytes are uploaded`, () => forwarder.sentBytes() >= sentBytes, { everyMs: 1 })
      await holdall.kill()
      await holdall.restart()
    }
    const job = await client.untilEnded(id, TEST_TIMEOUT_MS)
    expect(job.status).toBe('completed')
    const sentTwiceBytes = forwarder.sentBytes() - job.zip_size
    expect(sentTwiceBytes).toBeLessThan(killsAtBytes.length * SENT_AGAIN_BYTES)
    expect(await store.unfinishedUploads()).toBe(0)
    await expectDownloadable(job.download_url ?? '', entries)
  },
  TEST_TIMEOUT_MS,
)

test(
  'Two services with the same bucket and prefix leave the archives and the unfinished uploads of each other alone',
  async () => {
    let target: string | null = `http://${store.host}`
    using forwarder = await openForwarder(() => target)
    const flags = { 'archive-store': [store.address('shared')] }
    const env = { ...store.env, AWS_ENDPOINT_URL: forwarder.origin }
    await using uploading = await startService(flags, undefined, env)
    const kept = storedJob(origin, 2)
    const keptJob = await uploading.finishedJob(kept.urls)
    const interrupted = storedJob(origin, 3, LARGE_BYTES)
    const sentBefore = forwarder.sentBytes()
    const jobId = await uploading.createJob({ urls: interrupted.urls })
    const isUnderWay = () => forwarder.sentBytes() >= sentBefore + 30_000_000
    await until('30 MB more are uploaded', isUnderWay, { everyMs: 1 })
    target = null
    forwarder.breakAll()
    const trouble = async () =>
      (await uploading.request('GET', '/service')).body.service.archive_store.trouble
    await until('the store is in trouble', trouble, { everyMs: 20 })

    await using deleting = await startService(flags, undefined, store.env)
    const [deleted, expired] = [storedJob(origin, 4), storedJob(origin, 5)]
    const deletedJob = await deleting.finishedJob(deleted.urls)
    await deleting.finishedJob(expired.urls)
    await deleting.request('DELETE', `/jobs/${deletedJob.id}`)
    await deleting.restart()
    deleting.advance(25 * 3600 * 1000)
    await deleting.app.sweeper.sweepNow()
    const objects = () => store.objects().then((names) => names.filter((name) => name.startsWith('shared/')))
    await until('one archive is left in the store', async () => (await objects()).length === 1)
    expect(await objects()).toEqual([expect.stringContaining(keptJob.id)])
    expect(await store.unfinishedUploads()).toBe(1)

    target = `http://${store.host}`
    const job = await uploading.jobIn(jobId, ['completed', 'failed'])
    expect(job.status).toBe('completed')
    expect(forwarder.sentBytes() - sentBefore - job.zip_size).toBeLessThan(SENT_AGAIN_BYTES)
    await expectDownloadable(job.download_url, interrupted.entries)
    await expectDownloadable(keptJob.download_url, kept.entries)
  },
  TEST_TIMEOUT_MS,
)
