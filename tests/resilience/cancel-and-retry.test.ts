// test group: long
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { forFile } from '../support/for-file.ts'
import { startOrigin } from '../support/origin.ts'
import { FAULTY_WORKER_FILES, startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const origin = forFile(await startOrigin())
const service = forFile(await startService())

/** A body that stalls in its first response. */
const stalled = () => `/bytes/5000000/stalled.bin?stall_at=3000000&times=1&n=${crypto.randomUUID()}`

async function create(paths: readonly string[], on = service): Promise<string> {
  const urls = paths.map((path) => origin.url(path))
  return await on.createJob({ urls })
}
const post = (path: string, on = service) => on.request('POST', path)
const entriesOf = async (id: string) =>
  (await service.request('GET', `/jobs/${id}/entries?limit=100`)).body.entries as { size: number }[]

/** Creates a job with a body that stalls, and waits for its request. */
async function stalledJob(on = service): Promise<{ id: string; path: string }> {
  const path = stalled()
  const id = await create([path], on)
  await until('the source is requested', () => origin.requests(path).length > 0)
  return { id, path }
}

test('a retry of a running job is INVALID_REQUEST and does not affect its run', async () => {
  const { id, path } = await stalledJob()
  for (let tries = 0; tries < 3; tries++) {
    expect(await post(`/jobs/${id}/retry`)).toMatchObject({ status: 400 })
  }
  expect((await service.request('GET', `/jobs/${id}`)).body.job.status).toBe('processing')
  await post(`/jobs/${id}/cancel`)
  // A new run would have sent another request.
  expect(origin.requests(path)).toHaveLength(1)
})

test('exactly one of two simultaneous retries is accepted, and the job runs once', async () => {
  const bad = `/bytes/1000/a.bin?fail=1&fail_status=404&n=${crypto.randomUUID()}`
  const { id } = await service.finishedJob([origin.url(bad)])
  const replies = await Promise.all([post(`/jobs/${id}/retry`), post(`/jobs/${id}/retry`)])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 400])
  await service.jobIn(id, ['completed'])
  expect(origin.requests(bad)).toHaveLength(2)
})

test('a cancel keeps every complete entry', async () => {
  const run = crypto.randomUUID()
  const small = Array.from({ length: 100 }, (_, n) => `/bytes/3000/${n}.bin?n=${run}`)
  const id = await create([...small, stalled()])
  await until('all small files have arrived', async () => {
    return (await entriesOf(id)).filter(({ size }) => size === 3000).length === small.length
  })
  await post(`/jobs/${id}/cancel`)
  const cancelled = await service.jobIn(id, ['failed'])
  expect(cancelled).toMatchObject({ file_count: small.length, failure: { code: 'CANCELLED' } })
  await post(`/jobs/${id}/retry`)
  expect(await service.jobIn(id, ['completed'])).toMatchObject({ file_count: small.length + 1 })
  for (const path of small) expect(origin.requests(path)).toHaveLength(1)
})

test('after a cancel and a retry, a large body continues where it stopped', async () => {
  const { id, path } = await stalledJob()
  await until('two megabytes are received', async () => ((await entriesOf(id))[0]?.size ?? 0) >= 2_000_000)
  await post(`/jobs/${id}/cancel`)
  await post(`/jobs/${id}/retry`)
  expect(await service.jobIn(id, ['completed', 'failed'])).toMatchObject({ status: 'completed' })
  const range = origin.requests(path)[1]?.headers.get('range') ?? ''
  expect(Number(/^bytes=(\d+)-$/.exec(range)?.[1])).toBeGreaterThanOrEqual(2_000_000)
})

test('simultaneous cancels all succeed, and a later one is INVALID_REQUEST', async () => {
  const { id } = await stalledJob()
  const replies = await Promise.all([1, 2, 3].map(() => post(`/jobs/${id}/cancel`)))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await service.jobIn(id, ['failed'])).failure.code).toBe('CANCELLED')
  expect(await post(`/jobs/${id}/cancel`)).toMatchObject({ status: 400 })
})

test('a job that is deleted while it is being cancelled is deleted with its files', async () => {
  const { id } = await stalledJob()
  const cancelling = post(`/jobs/${id}/cancel`)
  const deleted = await service.request('DELETE', `/jobs/${id}`)
  expect([deleted.status, [200, 404].includes((await cancelling).status)]).toEqual([200, true])
  expect(await post(`/jobs/${id}/cancel`)).toMatchObject({ status: 404 })
  expect(existsSync(`${service.dataDir}/archives/${id}.zip.part`)).toBe(false)
})

test('a retry during a cancel is refused, or continues from the checkpoint', async () => {
  const { id } = await stalledJob()
  const [cancelled, retried] = await Promise.all([post(`/jobs/${id}/cancel`), post(`/jobs/${id}/retry`)])
  expect([cancelled.status, [200, 400].includes(retried.status)]).toEqual([200, true])
  if (retried.status === 400) await post(`/jobs/${id}/retry`)
  expect(await service.jobIn(id, ['completed', 'failed'])).toMatchObject({ status: 'completed' })
})

test.concurrent('a job whose thread hangs for ever can be cancelled', async () => {
  await using faulty = await startService({}, FAULTY_WORKER_FILES)
  const { id, cancelling } = await cancelOfHungJob(faulty)
  expect((await cancelling).status).toBe(200)
  expect((await faulty.jobIn(id, ['failed'])).failure.code).toBe('CANCELLED')
}, 180_000)

test.concurrent('a cancel that the service has accepted takes effect even if the service stops', async () => {
  await using faulty = await startService({}, FAULTY_WORKER_FILES)
  const { id, cancelling } = await cancelOfHungJob(faulty)
  // The service may close the connection before it responds.
  await Promise.all([cancelling.catch(() => null), faulty.restart()])
  expect((await faulty.request('GET', `/jobs/${id}`)).body.job.failure?.code).toBe('CANCELLED')
}, 180_000)

/** Starts to cancel a job whose thread hangs, and returns once the service is handling the request. */
async function cancelOfHungJob(faulty: TestService) {
  const id = await create(['/bytes/1000/a.bin?delay_ms=2000&fault=hang-1-1'], faulty)
  await until('the worker is at its fault', () => existsSync(`${faulty.dataDir}/archives/${id}.zip.fault`))
  const cancelling = post(`/jobs/${id}/cancel`, faulty)
  await faulty.request('GET', `/jobs/${id}`)
  return { id, cancelling }
}

test.concurrent('a job whose run completes before the cancel takes effect is completed, and a cancel is INVALID_REQUEST', async () => {
  await using busy = await startService()
  using db = new Database(join(busy.dataDir, 'holdall.db'))
  db.run(`CREATE TRIGGER refuse BEFORE UPDATE OF status ON jobs WHEN NEW.status <> 'processing'
          BEGIN SELECT RAISE(ABORT, 'refused'); END`)
  const id = await create(['/bytes/1000/a.bin'], busy)
  await until('the end of the job could not be recorded', () =>
    busy.logged.some((line) => line.includes('could not be recorded')),
  )
  // The database refuses to record the end of the job, so the cancel fails instead of waiting for it.
  expect((await post(`/jobs/${id}/cancel`, busy)).status).toBe(500)
  db.run('DROP TRIGGER refuse')
  expect(await busy.jobIn(id, ['completed', 'failed'])).toMatchObject({ status: 'completed' })
  expect(await post(`/jobs/${id}/cancel`, busy)).toMatchObject({ status: 400 })
}, 180_000)
