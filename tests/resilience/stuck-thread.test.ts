import { expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { connectTo } from '../support/connection.ts'
import { startOrigin } from '../support/origin.ts'
import { PROGRAM_FILES, startService, type TestService } from '../support/service.ts'
import { unstick } from '../support/stuck-pipe.ts'

const FRAIL_WORKER = new URL('../support/frail-worker.ts', import.meta.url)
const files = { ...PROGRAM_FILES, workerUrl: FRAIL_WORKER }

/** A job whose thread is in a call to the system that does not return, as on a network drive that is gone. */
async function stuckJob(service: TestService, url: string) {
  const { body } = await service.request('POST', '/jobs', { body: { urls: [`${url}?frail=stick-1-1`] } })
  const archive = `${service.dataDir}/data/archives/${body.job_id}.zip`
  while (!existsSync(`${archive}.sick`)) await Bun.sleep(5)
  return { id: body.job_id, archive }
}

test('a job whose thread is stuck can be cancelled and deleted, and a retry continues when the thread has ended', async () => {
  await using service = await startService({}, files)
  await using origin = await startOrigin()
  const [cancelled, deleted] = await Promise.all([
    stuckJob(service, origin.url('/bytes/1000/a.bin')),
    stuckJob(service, origin.url('/bytes/1000/a.bin')),
  ])
  const startedMs = performance.now()
  const answers = await Promise.all([
    service.request('POST', `/jobs/${cancelled.id}/cancel`),
    service.request('DELETE', `/jobs/${deleted.id}`),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(performance.now() - startedMs).toBeLessThan(10_000)
  expect(await service.jobIn(cancelled.id, ['failed'])).toMatchObject({ failure: { code: 'CANCELLED' } })
  expect((await service.request('GET', `/jobs/${deleted.id}`)).status).toBe(404)
  expect((await service.request('GET', '/health')).status).toBe(200)

  expect((await service.request('POST', `/jobs/${cancelled.id}/retry`)).status).toBe(200)
  await service.jobIn(cancelled.id, ['processing'])
  // Another thread may not write to the archive while this one can.
  const waiting = service.jobIn(cancelled.id, ['completed', 'failed'])
  expect(await Promise.race([waiting, service.finishedJob([origin.url('/bytes/1000/b.bin')])])).toMatchObject(
    {
      status: 'completed',
      urls: [origin.url('/bytes/1000/b.bin')],
    },
  )
  for (const { archive } of [cancelled, deleted]) unstick(archive)
  expect(await waiting).toMatchObject({ status: 'completed', file_count: 1 })
  const left = readdirSync(`${service.dataDir}/data/archives`)
  expect(left.filter((name) => name.startsWith(deleted.id) && !name.endsWith('-pipe'))).toEqual([])
}, 40_000)

test('a stop ends within eight seconds, whatever hangs: threads, and clients that do not read', async () => {
  await using service = await startService({}, files)
  await using origin = await startOrigin()
  const job = await service.finishedJob([origin.url('/bytes/33554432/large.bin')])
  using downloading = await connectTo(service.origin)
  await downloading.send(`GET ${new URL(job.download_url).pathname} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await downloading.until(/\r\n\r\n/)
  downloading.pause()
  const { archive } = await stuckJob(service, origin.url('/bytes/1000/a.bin'))
  const startedMs = performance.now()
  await service.app[Symbol.asyncDispose]()
  // Half a second for a machine that does other things, too.
  expect(performance.now() - startedMs).toBeLessThan(8_500)
  unstick(archive)
  await service.restart()
}, 40_000)
