// test group: long
import { expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { startOrigin } from '../support/origin.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const origin = forFile(await startOrigin())

/** A body that takes longer than the test, but is not too slow for the service. */
const slow = (name: string) => origin.url(`/bytes/9000000/${name}?bytes_per_second=4096`)
const small = (name: string) => origin.url(`/bytes/1000/${name}`)

async function create(service: TestService, url: string, key = service.key): Promise<string> {
  return await service.createJob({ urls: [url] }, key)
}

async function processing(service: TestService, key = service.key): Promise<string[]> {
  const { body } = await service.request('GET', '/jobs?status=processing', { key })
  return body.jobs.map((job: { id: string }) => job.id).reverse()
}

async function untilProcessing(service: TestService, count: number, key = service.key): Promise<string[]> {
  return await until(`${count} jobs run`, async () => {
    const ids = await processing(service, key)
    return ids.length === count && ids
  })
}

test('one user may use all job slots while no other user waits', async () => {
  await using service = await startService({ jobs: ['4'] })
  for (const name of ['a', 'b', 'c', 'd', 'e']) await create(service, slow(name))
  expect(await untilProcessing(service, 4)).toHaveLength(4)
})

test('a job of one URL does not wait for jobs of many URLs of the same user', async () => {
  await using service = await startService({ jobs: ['4'] })
  const many = Array.from({ length: 101 }, (_, index) => slow(`${index}`))
  for (let count = 0; count < 5; count++) await service.request('POST', '/jobs', { body: { urls: many } })
  const long = await untilProcessing(service, 2)
  await using other = await startOrigin()
  expect(await service.finishedJob([other.url('/bytes/1000')])).toMatchObject({ status: 'completed' })
  expect(await processing(service)).toEqual(long)
}, 180_000)

test('the job that started last is preempted for another user, and continues before jobs that were created after it', async () => {
  await using service = await startService({ jobs: ['4'] })
  const ids = []
  for (const name of ['a', 'b', 'c', 'd', 'e']) ids.push(await create(service, slow(name)))
  await untilProcessing(service, 4)
  const newcomer = await service.addUser('newcomer')
  expect(await service.finishedJob([small('new')], {}, newcomer)).toMatchObject({ status: 'completed' })
  // The preempted job is older than the job that has not run yet.
  expect(await untilProcessing(service, 4)).toEqual(ids.slice(0, 4))
}, 180_000)

test('one user has at most half of the job slots while another user waits', async () => {
  await using service = await startService({ jobs: ['4'] })
  for (const name of ['a', 'b', 'c', 'd']) await create(service, slow(name))
  await untilProcessing(service, 4)
  const other = await service.addUser('other')
  for (const name of ['e', 'f', 'g', 'h']) await create(service, slow(name), other)
  expect(await untilProcessing(service, 2, other)).toHaveLength(2)
  expect(await untilProcessing(service, 2)).toHaveLength(2)
  const third = await service.addUser('third')
  expect(await service.finishedJob([small('third')], {}, third)).toMatchObject({ status: 'completed' })
}, 180_000)

test('a preempted job does not get its slot back between two jobs of the other user', async () => {
  await using service = await startService({ jobs: ['2'] })
  for (const name of ['a', 'b']) await create(service, slow(name))
  await untilProcessing(service, 2)
  const other = await service.addUser('other')
  const startedMs = performance.now()
  for (let round = 0; round < 8; round++) await service.finishedJob([small(`round-${round}`)], {}, other)
  // It may get the slot back two seconds after it was preempted.
  const periods = Math.ceil((performance.now() - startedMs) / 2_000)
  expect(service.logged.filter((line) => line.includes('preempted')).length).toBeWithin(1, periods + 1)
}, 180_000)

test('a preempted job does not count as crashed', async () => {
  await using service = await startService({ jobs: ['2'] })
  const ids = [await create(service, slow('a')), await create(service, small('b?delay_ms=1000'))]
  await untilProcessing(service, 2)
  const other = await service.addUser('other')
  await service.finishedJob([small('c')], {}, other)
  expect(service.logged.join('')).not.toContain('crash')
  expect(await service.jobIn(ids[1] ?? '', ['completed', 'failed'])).toMatchObject({ status: 'completed' })
}, 180_000)
