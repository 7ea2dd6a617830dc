import { expect, test } from 'bun:test'
import { download, signInOwner } from '../support/client.ts'
import { startHoldall } from '../support/executable.ts'
import { expectedSha256, startOrigin } from '../support/origin.ts'
import { expectReadable } from '../support/readers.ts'
import { tempDir } from '../support/temp-dir.ts'

const COUNT = 60

/** Bodies of all kinds, whose sources answer one after another during two seconds. */
const BODIES = Array.from({ length: COUNT }, (_, index) => {
  const sizeBytes = index % 10 === 3 ? 2_000_000 : index % 3 === 0 ? 300_000 : 5_000
  const type = index % 4 === 0 ? '&type=text/plain' : ''
  const name = `${index}.${type === '' ? 'bin' : 'txt'}`
  const path = `/bytes/${sizeBytes}/${name}?seed=${index}&delay_ms=${index * 35}${type}`
  return { path, entry: { name, sizeBytes, sha256: expectedSha256(sizeBytes, index) } }
})
const ENTRIES = BODIES.map(({ entry }) => entry)

async function startWithBase() {
  await using stack = new AsyncDisposableStack()
  const origin = stack.use(await startOrigin())
  const holdall = stack.use(await startHoldall())
  const client = await signInOwner(holdall)
  const urls = BODIES.map(({ path }) => origin.url(path))
  const base = await client.untilEnded(await client.createJob({ urls }))
  expect(base.status).toBe('completed')
  const owned = stack.move()
  return { origin, holdall, client, urls, base, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

test.concurrent('A job that is killed while it copies from its base continues, and every reader accepts its archive', async () => {
  await using started = await startWithBase()
  const { origin, holdall, client, urls, base } = started
  const sentBytes = origin.sentBytes()
  const jobId = await client.createJob({ urls, base: { job_id: base.id, reuse: 'unchanged' } })
  for (const fileCount of [10, 30]) {
    await client.until(jobId, ({ file_count }) => file_count >= fileCount)
    await holdall.kill()
    await holdall.restart()
  }
  const job = await client.untilEnded(jobId)
  expect(job).toMatchObject({ status: 'completed', file_count: COUNT, reused_count: COUNT })
  // Responses without a body, some of them twice or three times.
  expect(origin.sentBytes() - sentBytes).toBeLessThan(3 * COUNT * 300)
  using dir = tempDir()
  await download(job, dir.file('a.zip'))
  await expectReadable(dir.file('a.zip'), ENTRIES)
}, 60_000)

test.concurrent('A base that is deleted while it is copied is copied to the end', async () => {
  await using started = await startWithBase()
  const { client, urls, base } = started
  const jobId = await client.createJob({ urls, base: { job_id: base.id, reuse: 'unchanged' } })
  await client.until(jobId, ({ file_count }) => file_count >= 5)
  expect((await client.request('DELETE', `/jobs/${base.id}`)).status).toBe(200)
  const job = await client.untilEnded(jobId)
  expect(job).toMatchObject({ status: 'completed', reused_count: COUNT, base: { job_id: base.id } })
}, 60_000)

test.concurrent('A job that is killed while it copies fetches the rest when its base has gone meanwhile', async () => {
  await using started = await startWithBase()
  const { holdall, client, urls, base } = started
  const jobId = await client.createJob({ urls, base: { job_id: base.id, reuse: 'unchanged' } })
  await client.until(jobId, ({ file_count }) => file_count >= 5)
  expect((await client.request('DELETE', `/jobs/${base.id}`)).status).toBe(200)
  await holdall.kill()
  await holdall.restart()
  const job = await client.untilEnded(jobId)
  expect(job).toMatchObject({ status: 'completed', file_count: COUNT })
  expect(job.reused_count).toBeLessThan(COUNT)
  using dir = tempDir()
  await download(job, dir.file('a.zip'))
  await expectReadable(dir.file('a.zip'), ENTRIES)
}, 60_000)
