// test group: idle
import { expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { startOrigin } from '../support/origin.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** So low that a busy machine keeps up. */
const RATE = 2_000_000
const MEASURED_BYTES = 10 * RATE
const origin = forFile(await startOrigin())

test('the rate is shared evenly by users, then by their jobs, over all threads', async () => {
  await using service = await startService({ 'limit-rate': [String(RATE)] })
  const bob = await service.addUser('bob', 'pro')
  const sizeBytes = 60_000_000
  const create = async (name: string, key?: string) => {
    const body = { urls: [origin.url(`/bytes/${sizeBytes}/${name}.bin`)] }
    return (await service.request('POST', '/jobs', { body, ...(key !== undefined && { key }) })).body.job_id
  }
  const beganMs = performance.now()
  const jobs = [await create('one'), await create('two'), await create('three', bob)]
  await Promise.all([
    ...jobs.slice(0, 2).map((id) => service.jobIn(id, ['processing'])),
    service.jobIn(jobs[2], ['processing'], bob),
  ])
  const sent = () => ['one', 'two', 'three'].map((name) => receivedBytes(name))
  const begin = await Promise.all(sent())
  const bytes = await until('enough has arrived', async () => {
    const arrived = (await Promise.all(sent())).map((end, index) => end - (begin[index] ?? 0))
    return sumOf(arrived) >= MEASURED_BYTES && arrived
  })
  const seconds = (performance.now() - beganMs) / 1000
  const all = sumOf(bytes)
  const [one = 0, two = 0, three = 0] = bytes
  // Who sets the limit needs the rest of the line.
  expect(all + sumOf(begin)).toBeLessThan(RATE * (seconds + 1))
  // Shared by jobs alone, it would be two thirds of that, and four thirds of the others. Progress is told in pieces.
  expect(three / (all / 2)).toBeWithin(0.8, 1.2)
  expect(one / (all / 4)).toBeWithin(0.75, 1.25)
  expect(two / (all / 4)).toBeWithin(0.75, 1.25)

  /** What the job of this source has received, as its progress says. */
  async function receivedBytes(name: string): Promise<number> {
    const index = ['one', 'two', 'three'].indexOf(name)
    const options = index === 2 ? { key: bob } : {}
    const { body } = await service.request('GET', `/jobs/${jobs[index]}/entries`, options)
    return body.entries[0].size
  }
}, 180_000)

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)
