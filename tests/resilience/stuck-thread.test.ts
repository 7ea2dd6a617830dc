// test group: idle
import { expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { connectTo } from '../support/connection.ts'
import { MAX_STOP_MS } from '../support/max-stop.ts'
import { startOrigin } from '../support/origin.ts'
import { FAULTY_WORKER_FILES, startService, type TestService } from '../support/service.ts'
import { releasePipe } from '../support/stuck-pipe.ts'
import { until } from '../support/until.ts'

/** Creates a job whose thread is stuck in a system call, as on a network drive that does not respond. */
async function stuckJob(service: TestService, url: string) {
  const jobId = await service.createJob({ urls: [`${url}?fault=stuck-1-1`] })
  const archive = `${service.dataDir}/archives/${jobId}.zip`
  await until('the thread is stuck', () => existsSync(`${archive}.fault`))
  return { id: jobId, archive }
}

test('a job whose thread is stuck can be cancelled and deleted, and a retry continues when the thread has ended', async () => {
  await using service = await startService({}, FAULTY_WORKER_FILES)
  await using origin = await startOrigin()
  const [cancelled, deleted] = await Promise.all([
    stuckJob(service, origin.url('/bytes/1000/a.bin')),
    stuckJob(service, origin.url('/bytes/1000/a.bin')),
  ])
  const answers = await Promise.all([
    service.request('POST', `/jobs/${cancelled.id}/cancel`),
    service.request('DELETE', `/jobs/${deleted.id}`),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(await service.jobIn(cancelled.id, ['failed'])).toMatchObject({ failure: { code: 'CANCELLED' } })
  expect((await service.request('GET', `/jobs/${deleted.id}`)).status).toBe(404)
  expect((await service.request('GET', '/health')).status).toBe(200)

  expect((await service.request('POST', `/jobs/${cancelled.id}/retry`)).status).toBe(200)
  await service.jobIn(cancelled.id, ['processing'])
  // The retry must wait, because the stuck thread could still write to the archive.
  const waiting = service.jobIn(cancelled.id, ['completed', 'failed'])
  expect(await Promise.race([waiting, service.finishedJob([origin.url('/bytes/1000/b.bin')])])).toMatchObject(
    {
      status: 'completed',
      urls: [origin.url('/bytes/1000/b.bin')],
    },
  )
  using _retried = releasePipe(cancelled.archive)
  using _deleted = releasePipe(deleted.archive)
  expect(await waiting).toMatchObject({ status: 'completed', file_count: 1 })
  const ofFault = ['.runs', '.fault', '-pipe'].map((suffix) => `${deleted.id}.zip${suffix}`)
  const left = () =>
    readdirSync(`${service.dataDir}/archives`).filter(
      (name) => name.startsWith(deleted.id) && !ofFault.includes(name),
    )
  // Its thread may end after that of the other job.
  await until('nothing is left', () => left().length === 0)
}, 180_000)

test('a stop ends before the system would kill the service, even with a stuck thread and a client that does not read', async () => {
  await using service = await startService({}, FAULTY_WORKER_FILES)
  await using origin = await startOrigin()
  const job = await service.finishedJob([origin.url('/bytes/33554432/large.bin')])
  using downloading = await connectTo(service.origin)
  await downloading.send(`GET ${new URL(job.download_url).pathname} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await downloading.until(/\r\n\r\n/)
  downloading.pause()
  const { archive } = await stuckJob(service, origin.url('/bytes/1000/a.bin'))
  const startedMs = performance.now()
  await service.app[Symbol.asyncDispose]()
  expect(performance.now() - startedMs).toBeLessThan(MAX_STOP_MS)
  using _released = releasePipe(archive)
  await service.restart()
}, 180_000)
