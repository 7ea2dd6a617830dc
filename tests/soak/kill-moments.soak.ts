import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { download, signInOwner } from '../support/client.ts'
import { type Holdall, startHoldall } from '../support/executable.ts'
import { expectedSha256, startOrigin } from '../support/origin.ts'
import { expectReadable } from '../support/readers.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

const MB = 1_000_000
/**
 * In the first case, an entry moves in several steps, because it overlaps its new place. In the second, one is copied.
 */
const MOVES: [how: string, sizesMb: readonly number[], isMoving: (holdall: Holdall) => boolean][] = [
  ['moves to a place that overlaps it', [80, 81], isMovingInSteps],
  ['is copied to the end of the archive', [40, 41, 42], (holdall) => isParked(holdall, 124 * MB)],
]

test.each(MOVES)(
  'A kill while an entry %s to close a gap loses nothing',
  async (_how, sizesMb, isMoving) => {
    await using origin = await startOrigin()
    await using holdall = await startHoldall()
    const client = await signInOwner(holdall)
    const paths = [
      // It reserves the first space for its next attempts, while the other bodies get theirs.
      '/bytes/2000000/broken.bin?cut_at=1000000',
      ...sizesMb.map((size) => `/bytes/${size * MB}/${size}.bin?seed=${size}&delay_ms=100`),
    ]
    const urls = paths.map((path) => origin.url(path))
    const jobId = await client.createJob({ urls, fail_on_url_error: false })
    await until('an entry is being moved', () => isMoving(holdall), { deadlineMs: 50_000, everyMs: 1 })
    await holdall.kill()
    expect(isMoving(holdall)).toBe(true)
    await holdall.restart()
    const job = await client.untilEnded(jobId)
    for (const path of paths.slice(1)) expect(origin.requests(path)).toHaveLength(1)
    using dir = tempDir()
    await download(job, dir.file('archive.zip'))
    const entries = sizesMb.map((size) => {
      return { name: `${size}.bin`, sizeBytes: size * MB, sha256: expectedSha256(size * MB, size) }
    })
    await expectReadable(dir.file('archive.zip'), entries)
  },
  120_000,
)

test('A job that is killed between the rename to .zip and its row completes without a fetch', async () => {
  await using origin = await startOrigin()
  await using holdall = await startHoldall()
  const client = await signInOwner(holdall)
  const urls = ['/bytes/3000000/a.bin', '/bytes/1000/b.bin', '/status/404'].map((path) => origin.url(path))
  const done = await client.untilEnded(await client.createJob({ urls, fail_on_url_error: false }))
  await holdall.kill()
  // A kill would rarely hit this moment, so the test restores the row that it would have left.
  using db = new Database(join(holdall.dataDir, 'holdall.db'))
  db.run(`UPDATE jobs SET status = 'processing', completed_at = NULL, expires_at = NULL, zip_bytes = 0`)
  db.run('DELETE FROM retention_periods')
  await holdall.restart()
  const job = await client.untilEnded(done.id)
  expect(job).toMatchObject({ status: 'completed', zip_size: done.zip_size, file_count: 2 })
  expect(origin.requestCount()).toBe(3)
}, 60_000)

/** Whether the database records an unfinished move. */
function isMovingInSteps(holdall: Holdall): boolean {
  return hasRow(holdall, 'SELECT 1 FROM jobs WHERE move_from IS NOT NULL')
}

/** Whether an entry was copied to the end of the archive, from where it will be moved to its place. */
function isParked(holdall: Holdall, endOffset: number): boolean {
  return hasRow(holdall, `SELECT 1 FROM entries WHERE status = 'stored' AND "offset" > ${endOffset}`)
}

function hasRow(holdall: Holdall, query: string): boolean {
  using db = new Database(join(holdall.dataDir, 'holdall.db'), { readonly: true })
  return db.query(query).get() !== null
}
