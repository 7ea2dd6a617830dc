// test group: prompt-idle
import { describe, expect, test } from 'bun:test'
import { startOrigin } from '../support/origin.ts'
import { tempDir } from '../support/temp-dir.ts'
import { testJob } from '../support/test-job.ts'

const SECONDS = 10

describe('A limited rate holds within 5 percent over ten seconds', () => {
  test.concurrent.each([
    ['one large body', 1, 4_000_000],
    ['several large bodies', 8, 4_000_000],
    ['many small bodies', 1000, 2_000_000],
    ['at a low rate', 4, 500_000],
  ])('%s', async (_name, count, bytesPerSecond) => {
    await using origin = await startOrigin()
    using dir = tempDir()
    const sizeBytes = Math.round((bytesPerSecond * SECONDS) / count)
    const urls = Array.from({ length: count }, (_, n) => origin.url(`/bytes/${sizeBytes}/${n}.bin`))
    using running = watchRunning()
    const startedMs = performance.now()
    const outcome = await testJob(dir.file('a.zip'), urls).run({ fetching: { bytesPerSecond } })
    const seconds = (performance.now() - startedMs) / 1000
    expect(outcome).toMatchObject({ status: 'completed', fileCount: count })
    expect((sizeBytes * count) / seconds / bytesPerSecond).toBeLessThan(1.05)
    expect((sizeBytes * count) / running.seconds() / bytesPerSecond).toBeGreaterThanOrEqual(0.95)
  })
})

test('a source is not called silent or slow for a time in which nothing may be read', async () => {
  await using origin = await startOrigin()
  using dir = tempDir()
  const urls = Array.from({ length: 4 }, (_, n) => origin.url(`/bytes/200000/${n}.bin`))
  // Each source may send 25,000 bytes per second, a piece every few seconds.
  const limits = {
    headersTimeoutMs: 2_000,
    idleTimeoutMs: 2_000,
    slowWindowMs: 2_000,
    minBytesPerSecond: 50_000,
  }
  const fetching = { bytesPerSecond: 100_000 }
  const outcome = await testJob(dir.file('a.zip'), urls).run({ fetching, limits })
  expect(outcome).toMatchObject({ status: 'completed', fileCount: 4 })
})

/** For how long the machine lets this thread run. What a busy one takes from it, nobody makes up for. */
function watchRunning() {
  let ticks = 0
  const timer = setInterval(() => ticks++, TICK_MS)
  return { seconds: () => (ticks * TICK_MS) / 1000, [Symbol.dispose]: () => clearInterval(timer) }
}

const TICK_MS = 50
