// test group: prompt-idle
import { describe, expect, test } from 'bun:test'
import { startOrigin } from '../support/origin.ts'
import { tempDir } from '../support/temp-dir.ts'
import { testJob } from '../support/test-job.ts'

const SECONDS = 10
const TIMEOUT_MS = 60_000

describe('A limited rate holds within 5 percent over ten seconds', () => {
  test.concurrent.each([
    ['one large body', 1, 4_000_000],
    ['several large bodies', 8, 4_000_000],
    ['many small bodies', 1000, 2_000_000],
    ['at a low rate', 4, 500_000],
  ])(
    '%s',
    async (_name, count, bytesPerSecond) => {
      await using origin = await startOrigin()
      using dir = tempDir()
      const sizeBytes = Math.round((bytesPerSecond * SECONDS) / count)
      const urls = Array.from({ length: count }, (_, n) => origin.url(`/bytes/${sizeBytes}/${n}.bin`))
      const startedMs = performance.now()
      const outcome = await testJob(dir.file('a.zip'), urls).run({ fetching: { bytesPerSecond } })
      const seconds = (performance.now() - startedMs) / 1000
      expect(outcome).toMatchObject({ status: 'completed', fileCount: count })
      expect((sizeBytes * count) / seconds / bytesPerSecond).toBeWithin(0.95, 1.05)
    },
    TIMEOUT_MS,
  )
})

test(
  'a source is not called silent or slow for a time in which nothing may be read',
  async () => {
    await using origin = await startOrigin()
    using dir = tempDir()
    const urls = Array.from({ length: 4 }, (_, n) => origin.url(`/bytes/2000000/${n}.bin`))
    const limits = {
      headersTimeoutMs: 500,
      idleTimeoutMs: 500,
      slowWindowMs: 500,
      minBytesPerSecond: 1_500_000,
    }
    const outcome = await testJob(dir.file('a.zip'), urls).run({
      fetching: { bytesPerSecond: 2_000_000 },
      limits,
    })
    expect(outcome).toMatchObject({ status: 'completed', fileCount: 4 })
  },
  TIMEOUT_MS,
)
