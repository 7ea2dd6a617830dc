import { expect } from 'bun:test'
import { download, signInOwner } from './client.ts'
import { startHoldall } from './executable.ts'
import { expectedSha256, startOrigin } from './origin.ts'
import { readZip } from './read-zip.ts'
import { seededRandom } from './seeded-random.ts'
import { tempDir } from './temp-dir.ts'
import { until } from './until.ts'

/**
 * Fetches one large file in segments with the executable, from a host that limits each connection, kills the executable (SIGKILL) at
 * random numbers of fetched bytes, and restarts it each time. Expects that the file is right at the end, and that a kill loses about
 * a second of each segment at most.
 * @returns the figures, in words
 */
export async function expectSegmentKillsLoseLittle(kills: number, seed: number): Promise<string> {
  const random = seededRandom(seed)
  using dir = tempDir()
  await using origin = await startOrigin()
  await using holdall = await startHoldall()
  const client = await signInOwner(holdall)
  const sizeBytes = (kills + 2) * BYTES_PER_KILL
  const path = `/bytes/${sizeBytes}/large.bin?bytes_per_second=${BYTES_PER_SECOND}`
  const jobId = await client.createJob({ urls: [origin.url(path)] })
  const killsAtBytes = Array.from({ length: kills }, () => random() * 0.9 * sizeBytes).sort((a, b) => a - b)
  for (const killAtBytes of killsAtBytes) {
    await until(`${killAtBytes} bytes are sent`, () => origin.sentBytes() >= killAtBytes, {
      deadlineMs: 300_000,
    })
    await holdall.kill()
    await holdall.restart()
  }
  const job = await client.untilEnded(jobId, 300_000)
  expect([job.status, job.errors]).toEqual(['completed', undefined])
  await download(job, dir.file('a.zip'))
  expect(await readZip(dir.file('a.zip'))).toMatchObject([
    { name: 'large.bin', sizeBytes, sha256: expectedSha256(sizeBytes, 1) },
  ])
  const segments = origin.peakConcurrentRequests()
  const lostBytes = (origin.sentBytes() - sizeBytes) / kills
  const maxLostBytes = segments * BYTES_PER_SECOND * LOST_SECONDS
  // The test is about segments.
  expect(segments).toBeGreaterThan(2)
  expect(lostBytes).toBeLessThan(maxLostBytes)
  return `${segments} connections at most, ${Math.round(lostBytes)} bytes lost per kill, at most ${maxLostBytes} allowed`
}

/** A host that limits each connection, so that more of them bring more. */
const BYTES_PER_SECOND = 3_000_000
const BYTES_PER_KILL = 20_000_000
/** The second between two checkpoints, and what a sync and the way of the bytes take. */
const LOST_SECONDS = 1.5
