import { expect, test } from 'bun:test'
import { startOrigin } from '../../support/origin.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { testJob } from '../../support/test-job.ts'

test.each([
  [{ total: 64, perHost: 32 }, 32, 300],
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
