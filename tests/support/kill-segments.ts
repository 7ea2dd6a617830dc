import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import { join } from 'node:path'
import { download, signInOwner } from './client.ts'
import { startHoldall } from './executable.ts'
import { expectedSha256, startOrigin } from './origin.ts'
import { readZip } from './read-zip.ts'
import { seededRandom } from './seeded-random.ts'
import { tempDir } from './temp-dir.ts'

/**
 * Fetches one large file in segments with the executable, from a host that limits each connection, kills the executable (SIGKILL)
 * when a random number of bytes is in its rows, and restarts it each time. Expects that the file is right at the end, and that no kill
 * loses what was in the rows. How often they are written is no matter of this test: that depends on the machine.
 */
export async function expectSegmentKillsKeepRows(kills: number, seed: number): Promise<void> {
  const random = seededRandom(seed)
  using dir = tempDir()
  await using origin = await startOrigin()
  await using holdall = await startHoldall()
  const client = await signInOwner(holdall)
  const sizeBytes = (kills + 2) * BYTES_PER_KILL
  const path = `/bytes/${sizeBytes}/large.bin?bytes_per_second=${BYTES_PER_SECOND}`
  const jobId = await client.createJob({ urls: [origin.url(path)] })
  const killsAtBytes = Array.from({ length: kills }, () => random() * 0.5 * sizeBytes).sort((a, b) => a - b)
  let keptBytes = 0
  let sentBytes = 0
  for (const killAtBytes of killsAtBytes) {
    do {
      await Bun.sleep(5)
      const storedBytes = bytesInRows(holdall.dataDir)
      expect(storedBytes).toBeGreaterThanOrEqual(keptBytes)
      keptBytes = storedBytes
    } while (keptBytes < killAtBytes)
    await holdall.kill()
    sentBytes = origin.sentBytes()
    // The test is about a file of which a part is there.
    expect(keptBytes).toBeLessThan(sizeBytes)
    await holdall.restart()
  }
  const job = await client.untilEnded(jobId, 300_000)
  expect([job.status, job.errors]).toEqual(['completed', undefined])
  await download(job, dir.file('a.zip'))
  expect(await readZip(dir.file('a.zip'))).toMatchObject([
    { name: 'large.bin', sizeBytes, sha256: expectedSha256(sizeBytes, 1) },
  ])
  const segments = origin.peakConcurrentRequests()
  const fetchedAfter = origin.sentBytes() - sentBytes
  console.log(
    `${segments} connections at most, ${keptBytes} bytes in the rows at the last kill, ${fetchedAfter} fetched after it`,
  )
  // The test is about segments.
  expect(segments).toBeGreaterThan(2)
  expect(fetchedAfter).toBeLessThan(sizeBytes - keptBytes + MAX_OVERHEAD_BYTES)
}

/** What the rows say is there of the only file. */
function bytesInRows(dataDir: string): number {
  using db = new Database(join(dataDir, 'holdall.db'))
  db.run('PRAGMA busy_timeout = 10000')
  const row = db
    .query<{ sizeBytes: number | null; stretches: string | null }, []>(
      'SELECT size_bytes AS sizeBytes, stretches FROM entries',
    )
    .get()
  if (row === null) return 0
  const stretches: { start: number; end: number }[] = JSON.parse(row.stretches ?? '[]')
  return row.sizeBytes ?? stretches.reduce((sum, { start, end }) => sum + end - start, 0)
}

/** A host that limits each connection, so that more of them bring more. */
const BYTES_PER_SECOND = 1_500_000
const BYTES_PER_KILL = 20_000_000
/** The headers of the responses, and what is on its way when a connection ends because another one takes over the rest of its segment. */
const MAX_OVERHEAD_BYTES = 8_000_000
