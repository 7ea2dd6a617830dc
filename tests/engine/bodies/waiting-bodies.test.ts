import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { FETCH_LIMITS } from '../../../server/fetching/attempts/fetch-limits.ts'
import { expectedSha256, startOrigin } from '../../support/origin.ts'
import { readZip } from '../../support/read-zip.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { testJob } from '../../support/test-job.ts'

const SIZE_BYTES = 1_000_000
const COUNT = 60

// The unfinished bodies do not fit in memory, so that some of them are in spool files.
test.each([
  ['is resumed where it broke off', '', true],
  ['starts over without a strong validator', '&etag=none&last_modified=none', false],
  ['is compressed', '&type=text/plain', null],
])('each of 60 bodies that break off at 900 KB at the same time %s', async (_what, query, isResumed) => {
  await using origin = await startOrigin()
  using dir = tempDir()
  const paths = Array.from(
    { length: COUNT },
    (_, n) => `/bytes/${SIZE_BYTES}/${n}?framing=chunked&cut_at=900000&times=1&seed=${n}${query}`,
  )
  const job = testJob(
    dir.file('a.zip'),
    paths.map((path) => origin.url(path)),
  )
  const limits = { ...FETCH_LIMITS, firstBackoffMs: 400 }
  expect(await job.run({ limits })).toMatchObject({ status: 'completed' })
  expect(job.errors).toEqual([])
  expect(await readZip(job.archivePath)).toMatchObject(
    paths.map((_, seed) => ({ sizeBytes: SIZE_BYTES, sha256: expectedSha256(SIZE_BYTES, seed) })),
  )
  const ranges = paths.map((path) => origin.requests(path)[1]?.headers.get('range') ?? null)
  if (isResumed !== null) expect(ranges.filter((range) => range !== null)).toHaveLength(isResumed ? COUNT : 0)
  expect(readdirSync(dir.path)).toEqual(['a.zip'])
})
