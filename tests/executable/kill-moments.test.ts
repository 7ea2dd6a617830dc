import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { clientOf, download, signIn } from '../support/client.ts'
import { type Holdall, startHoldall } from '../support/executable.ts'
import { expectedSha256, startOrigin } from '../support/origin.ts'
import { expectReadable } from '../support/readers.ts'
import { tempDir } from '../support/temp-dir.ts'

const MB = 1_000_000
/** Moved in pieces of the gap: so many syncs that the move can be caught. */
const SIZES_MB = [40, 41, 42]

test('A kill while the gaps that failed bodies left are closed up loses nothing', async () => {
  await using origin = await startOrigin()
  await using holdall = await startHoldall()
  const { key } = await signIn(await holdall.signInLink())
  const client = clientOf(() => holdall.address, key)
  const paths = [
    // Its space comes first and is given up last, when all the others have theirs.
    '/bytes/2000000/broken.bin?etag=none&cut_at=1000000',
    ...SIZES_MB.map((size) => `/bytes/${size * MB}/${size}.bin?seed=${size}&delay_ms=100`),
  ]
  const urls = paths.map((path) => origin.url(path))
  const jobId = await client.createJob({ urls, fail_on_url_error: false })
  while (!isMovingBytes(holdall)) await Bun.sleep(1)
  await holdall.kill()
  expect(isMovingBytes(holdall)).toBe(true)
  await holdall.restart()
  const job = await client.untilEnded(jobId)
  for (const path of paths.slice(1)) expect(origin.requests(path)).toHaveLength(1)
  using dir = tempDir()
  await download(job, dir.file('archive.zip'))
  await expectReadable(
    dir.file('archive.zip'),
    SIZES_MB.map((size) => ({
      name: `${size}.bin`,
      sizeBytes: size * MB,
      sha256: expectedSha256(size * MB, size),
    })),
  )
}, 60_000)

test('A kill between the rename to .zip and the row completes the job without a fetch', async () => {
  await using origin = await startOrigin()
  await using holdall = await startHoldall()
  const { key } = await signIn(await holdall.signInLink())
  const client = clientOf(() => holdall.address, key)
  const urls = ['/bytes/3000000/a.bin', '/bytes/1000/b.bin', '/status/404'].map((path) => origin.url(path))
  const done = await client.untilEnded(await client.createJob({ urls, fail_on_url_error: false }))
  await holdall.kill()
  // The moment lasts less than a millisecond: what the kill would leave is put there, the rest is real.
  using db = new Database(join(holdall.dataDir, 'holdall.db'))
  db.run(`UPDATE jobs SET status = 'processing', completed_at = NULL, expires_at = NULL, zip_bytes = 0`)
  db.run('DELETE FROM archive_stays')
  await holdall.restart()
  const job = await client.untilEnded(done.id)
  expect(job).toMatchObject({ status: 'completed', zip_size: done.zip_size, file_count: 2 })
  expect(origin.requestCount()).toBe(3)
}, 30_000)

/** Whether the one job of the service is closing up gaps at this moment. */
function isMovingBytes(holdall: Holdall): boolean {
  using db = new Database(join(holdall.dataDir, 'holdall.db'), { readonly: true })
  return db.query('SELECT 1 FROM jobs WHERE slide_from IS NOT NULL').get() !== null
}
