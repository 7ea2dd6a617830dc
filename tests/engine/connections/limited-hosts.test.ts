// test group: long
import { expect, test } from 'bun:test'
import { FETCH_LIMITS } from '../../../server/fetching/attempts/fetch-limits.ts'
import { forFile } from '../../support/for-file.ts'
import { expectedSha256, startOrigin } from '../../support/origin.ts'
import { readZip } from '../../support/read-zip.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { testJob } from '../../support/test-job.ts'

const origin = forFile(await startOrigin('0.0.0.0'))

/** Each host is another address, since what a host asks holds for all its requests. */
test.concurrent.each([
  ['20 requests in a second, else 429 with Retry-After: 1', '/rate-limited/20?retry_after=1', 1],
  ['20 requests in a second, else 429', '/rate-limited/20?status=429', 2],
  ['20 requests in a second, else 503 with Retry-After: 1', '/rate-limited/20?status=503&retry_after=1', 3],
  ['two requests at once, else 503', '/at-once/2?status=503', 4],
  ['two requests at once, and closes the others', '/at-once/2?status=close', 5],
])(
  'all files of a host that allows %s arrive, with fewer useless requests than files',
  async (_what, path, host) => {
    using dir = tempDir()
    const paths = Array.from({ length: COUNT }, (_, n) => `${path}&run=${host}&n=${n}`)
    const job = testJob(
      dir.file('a.zip'),
      paths.map((each) => origin.urlAtHost(host, each)),
    )
    expect(await job.run({ limits: FETCH_LIMITS })).toMatchObject({ status: 'completed', fileCount: COUNT })
    const entries = await readZip(job.archivePath)
    expect(new Set(entries.map(({ sha256 }) => sha256))).toEqual(new Set([expectedSha256(10_000)]))
    const requestCount = paths.reduce((sum, each) => sum + origin.requests(each).length, 0)
    expect(requestCount).toBeLessThan(2 * COUNT)
  },
)

const COUNT = 60
