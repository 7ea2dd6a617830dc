// test group: prompt
import { expect, test } from 'bun:test'
import { percentile } from '../../support/health-probe.ts'
import { expectedSha256, startOrigin } from '../../support/origin.ts'
import { readZip } from '../../support/read-zip.ts'
import { startService } from '../../support/service.ts'
import { connectionsTo } from '../../support/tcp-connections.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { until } from '../../support/until.ts'

const CONNECTIONS = 12
const LARGE_BYTES = 14_000_000
/** The system takes a millisecond to list its connections. */
const POLL_MS = 100

test("the segments of a free user's file leave half of the connections to another user's job", async () => {
  await using service = await startService({ connections: [String(CONNECTIONS)] })
  const freeKey = await service.addUser('free user', 'free')
  await using largeOrigin = await startOrigin()
  await using otherOrigin = await startOrigin()
  const connectionsOf = ({ url }: typeof largeOrigin) => connectionsTo(Number(new URL(url('/')).port))

  const large = largeOrigin.url(`/bytes/${LARGE_BYTES}/large.bin?bytes_per_second=400000`)
  const created = await service.request('POST', '/jobs', { body: { urls: [large] }, key: freeKey })
  await until(
    'the large file has more than half of the connections',
    () => connectionsOf(largeOrigin) > CONNECTIONS / 2,
    { everyMs: POLL_MS },
  )

  // Of different lengths, so that few of them end at the same time.
  const slow = Array.from({ length: 30 }, (_, index) =>
    otherOrigin.url(`/bytes/${40_000 + ((index * 7) % 30) * 1_300}/${index}.bin?bytes_per_second=40000`),
  )
  const other = service.finishedJob(slow)
  await until(
    'the other host has half of the connections',
    () => connectionsOf(otherOrigin) >= CONNECTIONS / 2,
    { everyMs: POLL_MS },
  )
  // A thread closes a connection some time after the other one has made its own.
  await until(
    'the large file has given connections back',
    () => connectionsOf(largeOrigin) <= CONNECTIONS / 2,
    { everyMs: POLL_MS },
  )
  // While the other user's URLs wait, no further segment takes what that job releases.
  const unfair = setInterval(() => {
    const isWaiting = otherOrigin.requestCount() < slow.length
    if (isWaiting) segments.push(connectionsOf(largeOrigin))
  }, POLL_MS)
  const segments: number[] = []
  expect(await other.finally(() => clearInterval(unfair))).toMatchObject({ status: 'completed' })
  // When several of the other user's files end at once, their connections are free until its thread asks for the next ones.
  segments.sort((one, other) => one - other)
  expect(percentile(segments, 90)).toBeWithin(1, CONNECTIONS / 2 + 2)

  const job = await service.jobIn(created.body.job_id, ['completed', 'failed'], freeKey)
  expect(job.status).toBe('completed')
  using dir = tempDir()
  await Bun.write(dir.file('a.zip'), await fetch(job.download_url))
  expect(await readZip(dir.file('a.zip'))).toMatchObject([
    { sizeBytes: LARGE_BYTES, sha256: expectedSha256(LARGE_BYTES) },
  ])
})
