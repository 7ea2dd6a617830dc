import { readFileSync } from 'node:fs'
import { numberDuplicates } from '../../server/archive/names/entry-name.ts'
import { applyChanges } from '../../server/engine/checkpoint/apply-changes.ts'
import type { Checkpoint } from '../../server/engine/checkpoint/checkpoint.ts'
import { expectedSha256 } from './origin/deterministic-bytes.ts'
import { type RandomSource, randomSources } from './random-sources.ts'
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
 * Packs an archive from sources that behave at random, and keeps what a client could have got of it. Their bodies come in any order, some
 * break off for good and leave gaps, and names collide. The run is stopped, or killed so that all changes since the last durable ones are
 * lost, and goes on, several times. What the client has must be the beginning of the finished archive.
 */
export async function runEarlyCase(seed: number): Promise<EarlyCase> {
  const random = seededRandom(seed)
  using dir = tempDir()
  await using server = await randomSources(random, 2 + Math.floor(random() * 24))
  const { sources, listed } = server
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
      order: { checkpoint, earlyReaders: ONE_READER },
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

const ONE_READER = new Int32Array(new SharedArrayBuffer(4)).fill(1)

/** Most cases wait. */
const AT_ONCE = 8
/** Segments begin after milliseconds. */
const CLOCK_FACTOR = 125
