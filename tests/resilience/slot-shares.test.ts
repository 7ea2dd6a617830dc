import { expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { startOrigin } from '../support/origin.ts'
import { startService, type TestService } from '../support/service.ts'

const origin = forFile(await startOrigin())

/** A body that lasts longer than any test, quick enough not to be given up. */
const trickle = (name: string) => origin.url(`/bytes/9000000/${name}?bytes_per_second=4096`)
const small = (name: string) => origin.url(`/bytes/1000/${name}`)

async function begin(service: TestService, url: string, key = service.key): Promise<string> {
  const { body } = await service.request('POST', '/jobs', { body: { urls: [url] }, key })
  return body.job_id
}

async function processing(service: TestService, key = service.key): Promise<string[]> {
  const { body } = await service.request('GET', '/jobs?status=processing', { key })
  return body.jobs.map((job: { id: string }) => job.id).reverse()
}

async function untilProcessing(service: TestService, count: number, key = service.key): Promise<string[]> {
  for (;;) {
    const ids = await processing(service, key)
    if (ids.length === count) return ids
    await Bun.sleep(5)
  }
}

test('one user may have all job slots while no other user waits', async () => {
  await using service = await startService({ jobs: ['4'] })
  for (const name of ['a', 'b', 'c', 'd', 'e']) await begin(service, trickle(name))
  expect(await untilProcessing(service, 4)).toHaveLength(4)
})

test('the job that started last is preempted for another user, keeps its place in the queue, and continues when a slot is free', async () => {
  await using service = await startService({ jobs: ['4'] })
  const ids = []
  for (const name of ['a', 'b', 'c', 'd', 'e']) ids.push(await begin(service, trickle(name)))
  await untilProcessing(service, 4)
  const newcomer = await service.addUser('newcomer')
  const startedMs = performance.now()
  expect(await service.finishedJob([small('new')], {}, newcomer)).toMatchObject({ status: 'completed' })
  expect(performance.now() - startedMs).toBeLessThan(2000)
  // The one that gave way is older than the one that has waited all the time.
  expect(await untilProcessing(service, 4)).toEqual(ids.slice(0, 4))
}, 20_000)

test('one user has at most half of the job slots while another waits', async () => {
  await using service = await startService({ jobs: ['4'] })
  for (const name of ['a', 'b', 'c', 'd']) await begin(service, trickle(name))
  await untilProcessing(service, 4)
  const other = await service.addUser('other')
  for (const name of ['e', 'f', 'g', 'h']) await begin(service, trickle(name), other)
  expect(await untilProcessing(service, 2, other)).toHaveLength(2)
  expect(await untilProcessing(service, 2)).toHaveLength(2)
  const third = await service.addUser('third')
  expect(await service.finishedJob([small('third')], {}, third)).toMatchObject({ status: 'completed' })
}, 20_000)

test('a user whose job was just preempted does not get the slot back between two jobs of the other user', async () => {
  await using service = await startService({ jobs: ['2'] })
  for (const name of ['a', 'b']) await begin(service, trickle(name))
  await untilProcessing(service, 2)
  const other = await service.addUser('other')
  for (let round = 0; round < 8; round++) await service.finishedJob([small(`round-${round}`)], {}, other)
  expect(service.logged.filter((line) => line.includes('preempted'))).toHaveLength(1)
}, 20_000)

test('a preempted job does not count as crashed', async () => {
  await using service = await startService({ jobs: ['2'] })
  const ids = [await begin(service, trickle('a')), await begin(service, small('b?delay_ms=1000'))]
  await untilProcessing(service, 2)
  const other = await service.addUser('other')
  await service.finishedJob([small('c')], {}, other)
  expect(service.logged.join('')).not.toContain('crash')
  expect(await service.jobIn(ids[1] ?? '', ['completed', 'failed'])).toMatchObject({ status: 'completed' })
}, 20_000)
