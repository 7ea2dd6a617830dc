// test group: prompt
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { errorEnvelope } from '../../server/http/schemas.ts'
import { checkData } from '../support/check-data.ts'
import { type Client, signInOwner } from '../support/client.ts'
import { type Holdall, startHoldall } from '../support/executable.ts'
import { failCalls } from '../support/fail-calls.ts'
import { forFile } from '../support/for-file.ts'
import { expectedSha256, startOrigin } from '../support/origin.ts'
import { watchService } from '../support/service-watch.ts'
import { sha256 } from '../support/sha256.ts'
import { until } from '../support/until.ts'

const READS = 'read,pread64,preadv,preadv2,readv,sendfile,splice,copy_file_range'
const WRITES = 'pwrite64,pwritev,pwritev2,fsync,fdatasync,ftruncate,fallocate'
const SIZE_BYTES = 3_000_000
const origin = forFile(await startOrigin())
let seed = 0

function bodies() {
  seed += 1
  return [1, 2].map((number) => origin.url(`/bytes/${SIZE_BYTES}/${number}.bin?seed=${seed}`))
}

async function withJob(run: (holdall: Holdall, client: Client, link: string, id: string) => Promise<void>) {
  await using holdall = await startHoldall({ args: ['--rate-limit', '0'] })
  const client = await signInOwner(holdall)
  const id = await client.createJob({ urls: bodies() })
  const job = await client.untilEnded(id)
  await run(holdall, client, job.download_url ?? '', id)
  expect(await holdall.stop()).toBe(0)
  checkData(holdall.dataDir)
}

/** The body of a complete response; null when it was refused or broke off. */
async function complete(url: string): Promise<Uint8Array | null> {
  try {
    const response = await fetch(url)
    const bytes = await response.bytes()
    const declared = response.headers.get('content-length')
    const isWhole = declared === null || Number(declared) === bytes.length
    return response.ok && isWhole ? bytes : null
  } catch {
    return null
  }
}

test('An archive that cannot be read (EIO) is refused or breaks off, and never ends as complete', async () => {
  await withJob(async (holdall, client, link, id) => {
    const file = `${holdall.address}${new URL(link).pathname.replace(/^(\/download\/[^/]+).*$/, '$1')}/entries/0`
    const watch = await watchService(holdall)
    {
      await using failed = await failCalls(holdall.pid, READS, [
        join(holdall.dataDir, 'archives', `${id}.zip`),
      ])
      expect(await complete(link)).toBeNull()
      expect(await complete(file)).toBeNull()
      // The base cannot be read: its sources are fetched again.
      const copy = await client.createJob({ urls: bodies(), base: { job_id: id, reuse: 'all' } })
      expect(await client.untilEnded(copy)).toMatchObject({ status: 'completed' })
      // What strace prints arrives after the responses.
      await until('several reads have failed', () => failed.count() > 1)
    }
    await watch.finish()
    expect((await complete(link))?.length).toBeGreaterThan(2 * SIZE_BYTES)
    expect(sha256((await complete(file)) ?? new Uint8Array())).toBe(expectedSha256(SIZE_BYTES, seed - 1))
  })
}, 240_000)

test('A database that cannot be read or written (EIO) is 503, nothing is lost, and the service works again', async () => {
  await withJob(async (holdall, client, _link, id) => {
    // Larger than the cache of a database that was just opened.
    const large = Array.from({ length: 5_000 }, (_, index) =>
      `http://127.0.0.1:1/${index}/`.padEnd(2_000, 'x'),
    )
    const largeId = await client.createJob({ urls: large, fail_on_url_error: false })
    await client.untilEnded(largeId)
    await holdall.restart()
    const files = ['holdall.db', 'holdall.db-wal', 'holdall.db-shm'].map((name) =>
      join(holdall.dataDir, name),
    )
    let refused = 0
    for (const calls of [READS, WRITES]) {
      const created: string[] = []
      {
        await using failed = await failCalls(holdall.pid, calls, files)
        for (let tries = 0; tries < 4; tries++) {
          const response = await client.request('POST', '/jobs', {
            urls: [origin.url(`/bytes/10?try=${tries}`)],
          })
          const text = await response.text()
          if (response.status === 201) created.push(JSON.parse(text).job_id)
          else {
            refused += 1
            expect([response.status, errorEnvelope.parse(JSON.parse(text)).error.code]).toEqual([
              503,
              'UNAVAILABLE',
            ])
          }
          for (const path of [`/jobs/${largeId}`, '/jobs', `/jobs/${id}`, '/service', '/health']) {
            const { status } = await client.request('GET', path)
            if (status !== 200) {
              refused += 1
              expect([path, status]).toEqual([path, 503])
            }
          }
        }
        await until('a call has failed', () => failed.count() > 0)
      }
      await until(
        '/health responds 200',
        async () => (await fetch(`${holdall.address}/health`)).status === 200,
        { everyMs: 50 },
      )
      for (const job of created) expect(await client.untilEnded(job)).toMatchObject({ status: 'completed' })
      expect((await client.getJob(id)).status).toBe('completed')
      const after = await client.createJob({ urls: bodies() })
      expect(await client.untilEnded(after)).toMatchObject({ status: 'completed' })
    }
    expect(refused).toBeGreaterThan(0)
  })
}, 240_000)

test('An archive that cannot be written (EIO) fails its job, and a retry completes it', async () => {
  await withJob(async (holdall, client) => {
    const urls = [...bodies(), origin.url(`/bytes/${SIZE_BYTES}/late.bin?seed=${seed}&gate=broken`)]
    const id = await client.createJob({ urls })
    await client.until(id, ({ status }) => status === 'processing')
    {
      await using failed = await failCalls(holdall.pid, WRITES, [
        join(holdall.dataDir, 'archives', `${id}.zip.part`),
      ])
      origin.open('broken')
      const job = await client.untilEnded(id)
      await until('a call has failed', () => failed.count() > 0)
      expect(job.failure).toEqual({
        code: 'INTERNAL_ERROR',
        message: expect.stringContaining('could not use its disk'),
      })
    }
    expect((await client.request('POST', `/jobs/${id}/retry`)).status).toBe(200)
    expect(await client.untilEnded(id)).toMatchObject({ status: 'completed', file_count: 3 })
  })
}, 240_000)
