import { expect, test } from 'bun:test'
import { startOrigin } from '../../support/origin.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { testJob } from '../../support/test-job.ts'

test.each([
  [{ total: 64, perHost: 32 }, 32, 300],
  [{ total: 64, perHost: 64 }, 64, 500],
  [{ total: 256, perHost: 256 }, 256, 1500],
  [{ total: 100, perHost: 256 }, 100, 600],
  [{ total: 64, perHost: 3 }, 3, 30],
])('with %j, a slow host gets up to %d connections', async (bounds, connections, urlCount) => {
  await using origin = await startOrigin()
  using dir = tempDir()
  const urls = Array.from({ length: urlCount }, (_, n) => origin.url(`/bytes/100/${n}.bin?delay_ms=150`))
  expect(await testJob(dir.file('a.zip'), urls).run({ bounds })).toMatchObject({ fileCount: urlCount })
  expect(origin.peakConcurrentRequests()).toBe(connections)
})

test('sources that wait for their next attempt leave the only connection of their host to the others', async () => {
  await using origin = await startOrigin()
  using dir = tempDir()
  const failing = Array.from({ length: 30 }, (_, n) => origin.url(`/status/500?n=${n}`))
  const good = Array.from({ length: 30 }, (_, n) => origin.url(`/bytes/100/${n}.bin`))
  const job = testJob(dir.file('a.zip'), [...failing, ...good])
  const count = (wanted: string) => job.checkpoint.entries.filter(({ status }) => status === wanted).length
  const stop = new AbortController()
  await job.run({
    bounds: { total: 1, perHost: 1 },
    // No test lasts that long: the failing sources wait until it ends.
    limits: { firstBackoffMs: 600_000, maxBackoffMs: 600_000 },
    stop: stop.signal,
    onCommit: () => {
      if (count('stored') === good.length) stop.abort()
    },
  })
  expect([count('stored'), count('failed')]).toEqual([good.length, 0])
})
