import { readFileSync } from 'node:fs'
import { numberDuplicates } from '../../server/archive/names/entry-name.ts'
import { applyChanges } from '../../server/engine/checkpoint/apply-changes.ts'
import type { Checkpoint } from '../../server/engine/checkpoint/checkpoint.ts'
import { deterministicBytes, expectedSha256 } from './origin/deterministic-bytes.ts'
import { type Reply, startHttpServer } from './origin/http-server.ts'
import type { OriginRequest } from './origin/read-requests.ts'
import { readZip } from './read-zip.ts'
import { seededRandom } from './seeded-random.ts'
import { tempDir } from './temp-dir.ts'
import { testJob } from './test-job.ts'

/** What happened to one archive that was sent while it was packed. */
export interface EarlyCase {
  /** Empty when all is right. */
  readonly faults: readonly string[]
  /** How many bytes were settled before the archive was complete. */
  readonly settledBytes: number
  readonly zipBytes: number
  readonly runs: number
}

/** Runs the cases of these seeds, several at once. */
export async function runEarlyCases(firstSeed: number, count: number) {
  const wrong: string[] = []
  let settledBytes = 0
  let zipBytes = 0
  let next = firstSeed
  const runOneByOne = async () => {
    while (next < firstSeed + count) {
      const seed = next++
      const result = await runEarlyCase(seed)
      wrong.push(...result.faults.map((fault) => `${seed}: ${fault}`))
      settledBytes += result.settledBytes
      zipBytes += result.zipBytes
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, runOneByOne))
  return { wrong, settledShare: settledBytes / zipBytes }
}

/**
 * Packs an archive from sources that behave at random, and keeps what a client could have got of it. Their bodies come in any order, some break
 * off for good and leave gaps, and names collide. The run is stopped, or killed so that all changes since the last durable ones are
 * lost, and goes on, several times. What the client has must be the beginning of the finished archive.
 */
export async function runEarlyCase(seed: number): Promise<EarlyCase> {
  const random = seededRandom(seed)
  using dir = tempDir()
  const sources = Array.from({ length: 2 + Math.floor(random() * 24) }, () => randomSource(random))
  await using server = await startHttpServer(async (request) => answer(request, sources, random))
  const listed = sources.map(({ path, filename }, index) => ({
    url: `http://127.0.0.1:${server.port}/${index}/${path}`,
    filename,
  }))
  const path = dir.file('a.zip')
  const faults: string[] = []
  let sent = Buffer.alloc(0)
  let checkpoint: Checkpoint = { entries: [], move: null, settledBytes: 0 }
  const runsToStop = Math.floor(random() * 4)
  for (let run = 1; ; run++) {
    const job = testJob(path, listed)
    const stop = new AbortController()
    const isKilled = random() < 0.5
    let reached = checkpoint
    let durable = checkpoint
    let isDead = false
    if (run <= runsToStop)
      setTimeout(() => {
        isDead = isKilled
        stop.abort(new Error('stop'))
      }, random() * 700)
    const outcome = await job.run({
      order: { checkpoint, isSentEarly: true },
      limits: { firstBackoffMs: 1, maxBackoffMs: 4, attempts: 3 },
      stop: stop.signal,
      nowMs: () => performance.now() * CLOCK_FACTOR,
      onCommit(changes, isDurable) {
        if (isDead) return
        reached = applyChanges(reached, changes)
        if (isDurable) durable = reached
        const { settledBytes } = reached
        if (settledBytes < sent.length) faults.push('bytes that were sent are given up')
        if (settledBytes <= sent.length) return
        const settled = readFileSync(`${path}.part`).subarray(0, settledBytes)
        if (settled.length < settledBytes) faults.push('more is settled than the file has')
        if (!settled.subarray(0, sent.length).equals(sent)) faults.push('bytes that were sent have changed')
        sent = Buffer.from(settled)
      },
    })
    if (outcome.status === 'failed') return { faults, settledBytes: 0, zipBytes: 0, runs: run }
    if (outcome.status === 'completed') {
      const whole = readFileSync(path)
      if (!whole.subarray(0, sent.length).equals(sent)) faults.push('the archive begins in another way')
      faults.push(...(await wrongEntries(path, sources)))
      return { faults, settledBytes: sent.length, zipBytes: whole.length, runs: run }
    }
    checkpoint = isKilled ? durable : reached
  }
}

async function wrongEntries(path: string, sources: readonly RandomSource[]): Promise<string[]> {
  const packed = sources.filter(({ breaksAt, isMissing }) => breaksAt === null && !isMissing)
  const names = numberDuplicates(packed.map(({ path, filename }) => filename ?? path))
  const expected = packed.map(
    ({ sizeBytes, seed }, index) => `${names[index]} ${expectedSha256(sizeBytes, seed)}`,
  )
  const found = (await readZip(path)).map(({ name, sha256 }) => `${name} ${sha256}`)
  return Bun.deepEquals(found, expected)
    ? []
    : [`the entries are ${found.join(', ')} and not ${expected.join(', ')}`]
}

interface RandomSource {
  readonly path: string
  readonly filename: string | null
  readonly sizeBytes: number
  readonly seed: number
  readonly delayMs: number
  /** Takes ranges, and has a strong validator. */
  readonly isResumable: boolean
  /** Answers 404. */
  readonly isMissing: boolean
  /** Always breaks off here, and can't be resumed. */
  readonly breaksAt: number | null
}

function randomSource(random: () => number): RandomSource {
  const pick = <T>(...list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const largest = pick(2_000, 20_000, 200_000, 200_000, 3_000_000)
  const sizeBytes = 1 + Math.floor(random() * largest)
  const breaks = random() < 0.2
  return {
    path: pick('a.bin', 'b.bin', 'c.bin', `${Math.floor(random() * 1e6)}.bin`),
    filename:
      random() < 0.4
        ? pick('a.bin', 'A.bin', 'x/a.bin', 'x', 'a (2).bin', `y/${Math.floor(random() * 1e6)}`)
        : null,
    sizeBytes,
    seed: 1 + Math.floor(random() * 1000),
    delayMs: random() < 0.2 ? random() * 800 : random() * 20,
    isResumable: !breaks && random() < 0.7,
    isMissing: !breaks && random() < 0.1,
    breaksAt: breaks ? Math.floor(random() * sizeBytes) : null,
  }
}

async function answer(
  { path, headers }: OriginRequest,
  sources: readonly RandomSource[],
  random: () => number,
): Promise<Reply> {
  const source = sources[Number(path.split('/')[1])]
  if (source === undefined || source.isMissing) return { status: 404, headers: { 'Content-Length': '0' } }
  const { sizeBytes, seed, delayMs, isResumable, breaksAt } = source
  await Bun.sleep(delayMs)
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.get('range') ?? '') ?? []
  const isPart = isResumable && first !== undefined
  const start = isPart ? Number(first) : 0
  const end = isPart && last ? Number(last) + 1 : sizeBytes
  const isCut = isResumable && random() < 0.2
  const sentEnd = isCut ? start + Math.floor(random() * (end - start)) : (breaksAt ?? end)
  return {
    status: isPart ? 206 : 200,
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(end - start),
      ...(isResumable && { 'Accept-Ranges': 'bytes', ETag: `"${seed}"` }),
      ...(isPart && { 'Content-Range': `bytes ${start}-${end - 1}/${sizeBytes}` }),
    },
    body: paced(deterministicBytes(sentEnd, seed, start)),
    ending: sentEnd < end ? 'cut' : 'whole',
  }
}

async function* paced(parts: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    yield part
    await Bun.sleep(1)
  }
}

/** Most cases wait. */
const AT_ONCE = 8
/** Segments begin after milliseconds. */
const CLOCK_FACTOR = 125
