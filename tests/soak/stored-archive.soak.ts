import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { signInOwner } from '../support/client.ts'
import { startHoldall } from '../support/executable.ts'
import { openForwarder } from '../support/forwarder.ts'
import { startObjectStore } from '../support/object-store.ts'
import { expectReadable } from '../support/readers.ts'
import { curl } from '../support/stored-job.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'
import { watchDiskUse } from './disk-use.ts'
import { startFileOrigin } from './file-origin.ts'

const BODY_BYTES = 5 * 2 ** 30
const STORE_STOPS_AT_BYTES = 1.5e9
const STORE_STOPS_FOR_MS = 60_000
const KILLED_AT_BYTES = 3.5e9
/** Two parts may be under way at each of the two breaks. All requests have headers. */
const MAX_SENT_AGAIN_BYTES = 4 * 8 * 1024 * 1024 + 2_000_000
/** Past 2 GiB and 4 GB, where counters of 31 and 32 bits would end. */
const DOWNLOAD_BREAKS_AT_BYTES = 4_500_000_000
const MAX_MEMORY_BYTES = 250_000_000
const TEST_TIMEOUT_MS = 30 * 60_000

test(
  'An archive of 5 GiB is uploaded once, although the store stops for a minute and the service is killed, and its download resumes',
  async () => {
    await using store = await startObjectStore()
    let target: string | null = `http://${store.host}`
    using forwarder = await openForwarder(() => target)
    await using origin = startFileOrigin()
    await using holdall = await startHoldall({
      args: ['--archive-store', store.address('large')],
      env: { ...store.env, AWS_ENDPOINT_URL: forwarder.origin },
    })
    const client = await signInOwner(holdall)
    const archives = join(holdall.dataDir, 'archives')
    using use = watchDiskUse(holdall.pid, archives)
    const id = await client.createJob({ urls: [origin.url(BODY_BYTES, 'huge.bin')] })
    const patience = { deadlineMs: TEST_TIMEOUT_MS, everyMs: 1 }
    const untilSent = (bytes: number) =>
      until(`${bytes} bytes are uploaded`, () => forwarder.sentBytes() >= bytes, patience)

    await untilSent(STORE_STOPS_AT_BYTES)
    target = null
    await store.stop()
    await Bun.sleep(STORE_STOPS_FOR_MS)
    expect((await client.getJob(id)).status).toBe('processing')
    await store.start()
    target = `http://${store.host}`
    await untilSent(KILLED_AT_BYTES)
    const peaks = [holdall.peakMemoryBytes()]
    await holdall.kill()
    await holdall.restart()
    const job = await client.untilEnded(id, TEST_TIMEOUT_MS)
    peaks.push(holdall.peakMemoryBytes())
    expect(job.status).toBe('completed')
    const sentAgainBytes = forwarder.sentBytes() - job.zip_size
    console.log(
      `${job.zip_size} bytes; sent again ${sentAgainBytes}; disk at most ${use.figures().peakBytes}; ` +
        `memory at most ${(Math.max(...peaks) / 1e6).toFixed(0)} MB`,
    )
    expect(sentAgainBytes).toBeLessThan(MAX_SENT_AGAIN_BYTES)
    expect(use.figures().peakBytes).toBeLessThan(job.zip_size * 1.05)
    expect(Math.max(...peaks)).toBeLessThan(MAX_MEMORY_BYTES)
    await until('no archive is on the disk', () =>
      readdirSync(archives).every((name) => !name.includes('.zip')),
    )
    expect([(await store.objects()).length, await store.unfinishedUploads()]).toEqual([1, 0])

    using dir = tempDir()
    const path = dir.file('large.zip')
    const url = job.download_url ?? ''
    await curl('-r', `0-${DOWNLOAD_BREAKS_AT_BYTES - 1}`, '-o', path, url)
    expect(Bun.file(path).size).toBe(DOWNLOAD_BREAKS_AT_BYTES)
    await curl('-C', '-', '-o', path, url)
    await expectReadable(path, [await origin.entry(BODY_BYTES, 'huge.bin')])
    await client.request('DELETE', `/jobs/${id}`)
    await until('no archive is in the store', async () => (await store.objects()).length === 0)
  },
  TEST_TIMEOUT_MS,
)
