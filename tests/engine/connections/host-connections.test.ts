import { expect, test } from 'bun:test'
import { startHttpServer } from '../../support/origin/http-server.ts'
import { startOrigin } from '../../support/origin.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { testJob } from '../../support/test-job.ts'

test.each([
  [{ total: 64, perHost: 32 }, 32],
  [{ total: 64, perHost: 64 }, 64],
  [{ total: 256, perHost: 256 }, 256],
  [{ total: 100, perHost: 256 }, 100],
  [{ total: 64, perHost: 3 }, 3],
])('with %j, a slow host gets up to %d connections', async (bounds, connections) => {
  let answered = 0
  let waiting = 0
  const allWait = Promise.withResolvers<void>()
  // Once it has answered for so long that the limits have grown, it answers nobody before all connections wait for it.
  await using host = await startHttpServer(async () => {
    if (answered >= 2 * connections) {
      waiting += 1
      if (waiting === connections) allWait.resolve()
      await allWait.promise
    }
    answered += 1
    return { headers: { 'Content-Length': '1' }, body: [Uint8Array.of(0)] }
  })
  using dir = tempDir()
  const urlCount = 5 * connections
  const urls = Array.from({ length: urlCount }, (_, n) => `http://127.0.0.1:${host.port}/${n}.bin`)
  // Each wave of answers, which has twice as many as the one before, takes a fourth of its time: more connections bring more. The fifth
  // takes a second, so that connections are returned to the pool often enough.
  const nowMs = () => 341_000 * (1 - (1 + answered / 8) ** -2)
  const limits = { headersTimeoutMs: 600_000 }
  const job = testJob(dir.file('a.zip'), urls)
  expect(await job.run({ bounds, nowMs, limits })).toMatchObject({ fileCount: urlCount })
  expect(host.peakConcurrentRequests()).toBe(connections)
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
