import { describe, expect, test } from 'bun:test'
import { reusedEntries, sourcesWithBase } from '../../support/base.ts'
import { forFile } from '../../support/for-file.ts'
import { expectedSha256, startOrigin } from '../../support/origin.ts'
import { readZip } from '../../support/read-zip.ts'
import type { TempDir } from '../../support/temp-dir.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { testJob } from '../../support/test-job.ts'

const origin = forFile(await startOrigin())

const SIZE = 20_000

describe('a 304 that contradicts what was asked does not count, and the file is fetched', () => {
  test.concurrent.each([
    '304-with-other-tag',
    '304-with-other-last-modified',
    '304-without-tag-with-other-last-modified',
  ])('%s', async (source) => {
    using dir = tempDir()
    const path = `/${source}/${SIZE}`
    const { isReused, sha256 } = await packedAgain(dir, path)
    expect([isReused, sha256]).toEqual([false, expectedSha256(SIZE, 2)])
    expect(conditionsOf(path)).toEqual([false, true, false])
  })
})

describe('what changes again within its second is not used as a validator, and nothing is asked', () => {
  test.concurrent.each(['changed-twice-in-a-second', 'changed-twice-with-tag-of-time'])(
    '%s',
    async (source) => {
      using dir = tempDir()
      const path = `/${source}/${SIZE}`
      const { isReused, sha256 } = await packedAgain(dir, path)
      expect([isReused, sha256]).toEqual([false, expectedSha256(SIZE, 2)])
      expect(conditionsOf(path)).toEqual([false, false])
    },
  )
})

test.concurrent.each(['', '&etag=none', '&etag=weak', '&last_modified=recent'])(
  'a file that is unchanged is copied: %s',
  async (query) => {
    using dir = tempDir()
    const path = `/bytes/${SIZE}?unchanged${query}`
    expect(await packedAgain(dir, path)).toMatchObject({ isReused: true, sha256: expectedSha256(SIZE) })
  },
)

/** Packs a URL twice, the second time with the first archive as its base. */
async function packedAgain(dir: TempDir, path: string) {
  const urls = [origin.url(path)]
  const first = testJob(dir.file('base.zip'), urls)
  const sources = sourcesWithBase(urls, first, await first.run())
  const next = testJob(dir.file('next.zip'), urls)
  await next.run({
    order: { sources, base: { path: first.archivePath, link: null, reuse: 'unchanged', keepFrom: null } },
  })
  const [entry] = await readZip(next.archivePath)
  return { isReused: reusedEntries(next).length > 0, sha256: entry?.sha256 }
}

/** Whether each request had a condition. */
function conditionsOf(path: string): boolean[] {
  return origin
    .requests(path)
    .map(({ headers }) => headers.has('if-none-match') || headers.has('if-modified-since'))
}
