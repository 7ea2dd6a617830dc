import { expect, test } from 'bun:test'
import { expectedSha256, startOrigin } from '../../support/origin.ts'
import { readZip } from '../../support/read-zip.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { testJob } from '../../support/test-job.ts'

const MB = 1_000_000
const ONE_READER = new Int32Array(new SharedArrayBuffer(4)).fill(1)

test('While a client downloads the archive, a large file that gives way to an earlier one goes on where it was', async () => {
  using dir = tempDir()
  await using origin = await startOrigin()
  const paths = ['a', 'b', 'c'].map((name) => `/bytes/${3 * MB}/${name}.bin?bytes_per_second=750000`)
  const job = testJob(
    dir.file('a.zip'),
    paths.map((path) => origin.url(path)),
  )
  const outcome = await job.run({
    order: { earlyReaders: ONE_READER },
    bounds: { total: 3, perHost: 3 },
    nowMs: () => performance.now() * CLOCK_FACTOR,
  })
  expect(outcome).toMatchObject({ status: 'completed' })
  expect((await readZip(job.archivePath)).map(({ sha256 }) => sha256)).toEqual(
    paths.map(() => expectedSha256(3 * MB)),
  )
  const again = origin
    .requests(paths[2] ?? '')
    .map(({ headers }) => Number(/^bytes=(\d+)-/.exec(headers.get('range') ?? '')?.[1] ?? 0))
  expect(again[0]).toBe(0)
  expect(again[1]).toBeWithin(1, 3 * MB)
})

/** Rates are known after a fraction of a second. */
const CLOCK_FACTOR = 6
