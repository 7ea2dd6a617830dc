// test group: prompt
import { expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { startOrigin } from '../support/origin.ts'
import { startService } from '../support/service.ts'

const RATE = 4_000_000
const origin = forFile(await startOrigin())

test('the rate is shared evenly by users, then by their jobs, over all threads', async () => {
  await using service = await startService({ 'limit-rate': [String(RATE)] })
  const bob = await service.addUser('bob', 'pro')
  const sizeBytes = 60_000_000
  const create = async (name: string, key?: string) => {
    const body = { urls: [origin.url(`/bytes/${sizeBytes}/${name}.bin`)] }
    return (await service.request('POST', '/jobs', { body, ...(key !== undefined && { key }) })).body.job_id
  }
  const jobs = [await create('one'), await create('two'), await create('three', bob)]
  await Promise.all([
    ...jobs.slice(0, 2).map((id) => service.jobIn(id, ['processing'])),
    service.jobIn(jobs[2], ['processing'], bob),
  ])
  const sent = () => ['one', 'two', 'three'].map((name) => receivedBytes(name))
  const begin = await Promise.all(sent())
  const beganMs = performance.now()
  while (performance.now() - beganMs < 10_000) await Bun.sleep(100)
  const bytes = (await Promise.all(sent())).map((end, index) => end - (begin[index] ?? 0))
  const expected = (RATE * (performance.now() - beganMs)) / 1000
  const [one = 0, two = 0, three = 0] = bytes
  expect((one + two + three) / expected).toBeWithin(0.95, 1.05)
  expect(three / (expected / 2)).toBeWithin(0.9, 1.1)
  expect(one / (expected / 4)).toBeWithin(0.85, 1.15)
  expect(two / (expected / 4)).toBeWithin(0.85, 1.15)

  /** What the job of this source has received, as its progress says. */
  async function receivedBytes(name: string): Promise<number> {
    const index = ['one', 'two', 'three'].indexOf(name)
    const options = index === 2 ? { key: bob } : {}
    const { body } = await service.request('GET', `/jobs/${jobs[index]}/entries`, options)
    return body.entries[0].size
  }
}, 60_000)
