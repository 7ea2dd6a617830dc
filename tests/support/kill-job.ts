import { expect } from 'bun:test'
import { download, signInOwner } from './client.ts'
import { startHoldall } from './executable.ts'
import { expectedSha256, startOrigin } from './origin.ts'
import { readZip } from './read-zip.ts'
import { seededRandom } from './seeded-random.ts'
import { tempDir } from './temp-dir.ts'
import { until } from './until.ts'

/**
 * Runs a job of 400 URLs on the executable, kills it (SIGKILL) at random numbers of fetched bytes, and restarts it each
 * time. Expects that the archive is correct to the byte at the end, and that a kill loses at most what is not durable.
 * @returns the figures, in words
 */
export async function expectKillsLoseLittle(kills: number, seed: number): Promise<string> {
  const startedMs = performance.now()
  const { zipBytes, sentBytes } = await runWithKills(kills, seed)
  const seconds = (performance.now() - startedMs) / 1000
  const maxBytes = zipBytes + kills * maxLossBytes(zipBytes, seconds)
  expect(sentBytes).toBeLessThan(maxBytes)
  return `archive ${zipBytes} bytes, sent ${sentBytes}, at most ${Math.floor(maxBytes)} allowed, ${seconds.toFixed(1)} s`
}

/** @returns the size of the archive, and the bytes that the origin sent, including those sent twice */
async function runWithKills(kills: number, seed: number): Promise<{ zipBytes: number; sentBytes: number }> {
  const random = seededRandom(seed)
  using dir = tempDir()
  await using origin = await startOrigin()
  await using holdall = await startHoldall()
  const client = await signInOwner(holdall)

  const bodies = Array.from({ length: URLS }, (_, index) => bodyOf(index, kills, random))
  const jobId = await client.createJob({
    urls: bodies.map(({ path }) => origin.url(path)),
    fail_on_url_error: false,
  })
  // The job needs all these bytes, so it cannot end before the last kill.
  const totalBytes = bodies.reduce((sum, { isBad, sizeBytes }) => sum + (isBad ? 0 : sizeBytes), 0)
  const killsAtBytes = Array.from({ length: kills }, () => random() * 0.9 * totalBytes).sort((a, b) => a - b)
  for (const killAtBytes of killsAtBytes) {
    await until(`${killAtBytes} bytes are sent`, () => origin.sentBytes() >= killAtBytes, {
      deadlineMs: 300_000,
    })
    await holdall.kill()
    await holdall.restart()
  }
  const job = await client.untilEnded(jobId, 120_000)
  expect(job).toMatchObject({
    status: 'completed',
    errors: bodies.filter(({ isBad }) => isBad).map(() => ({ error: 'HTTP 404' })),
  })
  await download(job, dir.file('a.zip'))
  const good = bodies.filter(({ isBad }) => !isBad)
  expect(await readZip(dir.file('a.zip'))).toMatchObject(
    good.map(({ name, sizeBytes, seed }, index) => ({
      name: good.findIndex((body) => body.name === name) === index ? name : name.replace('.', ' (2).'),
      sizeBytes,
      sha256: expectedSha256(sizeBytes, seed),
    })),
  )
  return { zipBytes: job.zip_size, sentBytes: origin.sentBytes() }
}

/**
 * What is not durable at a kill: a batch of checkpoint changes, the bytes of one second, and a buffer per connection.
 */
function maxLossBytes(zipBytes: number, seconds: number): number {
  return 64 * 1024 ** 2 + zipBytes / seconds + CONNECTIONS * 1024 ** 2
}

const URLS = 400
const NAMES = 380
const CONNECTIONS = 64
const LARGE_BYTES = 20_000_000

interface Body {
  readonly path: string
  readonly name: string
  readonly sizeBytes: number
  readonly seed: number
  readonly isBad: boolean
}

/**
 * Bodies of up to 40 KB, of 300 KB and of 20 MB, with known and unknown length. Some are text, some break off in their
 * first response, some have the same name, some are missing. The large ones arrive so slowly that about one checkpoint
 * is written between two kills.
 */
function bodyOf(index: number, kills: number, random: () => number): Body {
  const seed = 1 + (index % 40)
  const name = `${index % NAMES}.bin`
  const isBad = index % 50 === 49
  const isLarge = index % 80 === 7
  const sizeBytes = isLarge ? LARGE_BYTES : index % 9 === 4 ? 300_000 : Math.floor(random() * 40_000)
  const framing = index % 7 === 3 ? '&framing=chunked' : ''
  const type = index % 11 === 5 ? '&type=text/plain' : ''
  const cut = index % 13 === 6 ? `&cut_at=${Math.floor(sizeBytes / 2)}&times=1` : ''
  const pace = isLarge ? `&bytes_per_second=${Math.round(LARGE_BYTES / (kills + 2))}` : ''
  const delayMs = Math.floor(random() * 700)
  const path = isBad
    ? `/status/404?n=${index}`
    : `/bytes/${sizeBytes}/${name}?seed=${seed}&delay_ms=${delayMs}${pace}${framing}${type}${cut}&n=${index}`
  return { path, name, sizeBytes, seed, isBad }
}
