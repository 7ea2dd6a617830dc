import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Client, signInOwner } from '../support/client.ts'
import { type Holdall, startHoldall } from '../support/executable.ts'
import { inMountNamespace } from '../support/mount-namespace.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { type TempDir, tempDir } from '../support/temp-dir.ts'

const MB = 1_000_000

let origin: Origin
let dir: TempDir
let holdall: Holdall
let client: Client

/** Gives the executable a small disk for archives. */
function withSmallDisk(path: string, sizeBytes: number): string[] {
  return inMountNamespace(`mount -t tmpfs -o size=${sizeBytes} tmpfs "$1"`, path)
}

beforeAll(async () => {
  origin = await startOrigin()
  dir = tempDir()
  holdall = await startHoldall({ args: ['--archives', dir.path], under: withSmallDisk(dir.path, 220 * MB) })
  client = await signInOwner(holdall)
})
afterAll(async () => {
  await holdall[Symbol.asyncDispose]()
  dir[Symbol.dispose]()
  await origin[Symbol.asyncDispose]()
})

test('a body too large for the disk fails the job before it is fetched, and a retry resumes the job when there is space', async () => {
  const before = await client.createJob({ urls: [origin.url(`/bytes/${80 * MB}/before.bin`)] })
  expect((await client.untilEnded(before)).status).toBe('completed')

  const small = '/bytes/300000/small.bin?disk=1'
  const large = `/bytes/${120 * MB}/large.bin?disk=1&gate=small-is-there`
  const jobId = await client.createJob({ urls: [origin.url(small), origin.url(large)] })
  await client.until(jobId, ({ file_count }) => file_count === 1)
  const sentBefore = origin.sentBytes()
  origin.open('small-is-there')
  const failed = await client.untilEnded(jobId)
  expect(failed).toMatchObject({ status: 'failed', failure: { code: 'DISK_FULL' }, file_count: 1 })
  expect(origin.sentBytes() - sentBefore).toBeLessThan(20 * MB)

  expect((await client.request('DELETE', `/jobs/${before}`)).status).toBe(200)
  expect((await client.request('POST', `/jobs/${jobId}/retry`)).status).toBe(200)
  expect(await client.untilEnded(jobId)).toMatchObject({ status: 'completed', file_count: 2 })
  expect(origin.requests(small)).toHaveLength(1)
  expect((await client.request('DELETE', `/jobs/${jobId}`)).status).toBe(200)
})

/** Of the disk, 64 MiB stay free for others. */
const MOST_BYTES = 220 * MB - 60 * MB

test('a disk that fills up during a job fails it with DISK_FULL, keeps its reserve, and the service keeps running', async () => {
  const sentBefore = origin.sentBytes()
  const endless = await client.createJob({ urls: [origin.url('/endless')] })
  expect(await client.untilEnded(endless)).toMatchObject({ status: 'failed', failure: { code: 'DISK_FULL' } })
  // What was sent but not received is in the buffers of sockets.
  expect(origin.sentBytes() - sentBefore).toBeLessThan(MOST_BYTES + 40 * MB)
  expect((await fetch(`${holdall.address}/health`)).status).toBe(200)
  const after = await client.createJob({ urls: [origin.url(`/bytes/${MB}/after.bin`)] })
  expect(await client.untilEnded(after)).toMatchObject({ status: 'completed' })
})

test('many small bodies without a length leave the reserve of the disk free, too', async () => {
  const urls = Array.from({ length: 220 }, (_, n) => origin.url(`/bytes/900000/${n}.bin?framing=chunked`))
  const jobId = await client.createJob({ urls })
  const failed = await client.untilEnded(jobId)
  expect(failed).toMatchObject({ status: 'failed', failure: { code: 'DISK_FULL' } })
  expect((failed.file_count ?? 0) * 900_000).toBeWithin(50 * MB, MOST_BYTES)
  expect((await client.request('DELETE', `/jobs/${jobId}`)).status).toBe(200)
})
