import { expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { startOrigin } from '../support/origin.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const origins = await Promise.all(Array.from({ length: 8 }, async () => forFile(await startOrigin())))
const idleOrigin = forFile(await startOrigin())

/** 64 URLs on eight hosts, which send so slowly that they use all 64 connections during the whole test. */
const slowPaths = Array.from({ length: 8 }, (_, n) => `/bytes/900000/${n}.bin?bytes_per_second=2048`)
const slow = origins.flatMap((origin) => slowPaths.map((path) => origin.url(path)))
const slowRequests = () => origins.flatMap((origin) => slowPaths.flatMap((path) => origin.requests(path)))

test('a job of another user gets connections, even if slow sources of one job use all of them for minutes', async () => {
  await using service = await startService()
  const slowId = await service.createJob({ urls: slow })
  await until('the slow sources have all connections', () => slowRequests().length >= 64)
  const newcomer = await service.addUser('newcomer')

  const urls = [idleOrigin.url('/bytes/1000/new.bin'), origins[0]?.url('/bytes/1000/same-host.bin') ?? '']
  expect(await service.finishedJob(urls, {}, newcomer)).toMatchObject({ status: 'completed' })

  // The two revoked attempts resume where they stopped, and do not count as failures.
  await until('two more slow sources have connections', () => slowRequests().length >= 66)
  const again = slowRequests().filter(({ headers }) => headers.has('range'))
  expect(again).toHaveLength(2)
  const { body: job } = await service.request('GET', `/jobs/${slowId}`)
  expect(job.job).toMatchObject({ status: 'processing' })
  expect(job.job.errors).toBeUndefined()
}, 180_000)
