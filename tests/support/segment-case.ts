import { applyChanges } from '../../server/engine/checkpoint/apply-changes.ts'
import type { Checkpoint } from '../../server/engine/checkpoint/checkpoint.ts'
import { deterministicBytes, expectedSha256 } from './origin/deterministic-bytes.ts'
import { type Reply, startHttpServer } from './origin/http-server.ts'
import { LIES, wrongSeed } from './origin/lying-ranges.ts'
import type { OriginRequest } from './origin/read-requests.ts'
import { readZip } from './read-zip.ts'
import { seededRandom } from './seeded-random.ts'
import { tempDir } from './temp-dir.ts'
import { testJob } from './test-job.ts'

/** What happened to one large body. */
export interface SegmentCase {
  readonly outcome: 'right' | 'failed' | 'wrong'
  readonly error: string | null
  /** How many requests were for a part. */
  readonly partRequests: number
  readonly runs: number
  /** The most stretches that a checkpoint had. */
  readonly mostStretches: number
}

/** Runs the cases of these seeds, several at once. */
export async function runSegmentCases(firstSeed: number, count: number) {
  const wrong: number[] = []
  let right = 0
  let divided = 0
  let next = firstSeed
  const runOneByOne = async () => {
    while (next < firstSeed + count) {
      const seed = next++
      const { outcome, mostStretches } = await runSegmentCase(seed)
      if (outcome === 'wrong') wrong.push(seed)
      right += Number(outcome === 'right')
      divided += Number(mostStretches > 1)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, runOneByOne))
  return { wrong, right, divided }
}

/**
 * Packs a large body from a source that behaves at random: it cuts and resets connections, answers 503, changes its file, lies about
 * ranges. The run is stopped, or killed so that its last changes are lost, and goes on, several times.
 *
 * Rates are measured by a clock that is much too fast, so that segments begin after milliseconds.
 */
export async function runSegmentCase(seed: number): Promise<SegmentCase> {
  const random = seededRandom(seed)
  using dir = tempDir()
  const source = new RandomSource(random)
  await using server = await startHttpServer(async (request) => source.answer(request))
  const url = `http://127.0.0.1:${server.port}/large.bin`
  const runsToStop = Math.floor(random() * 4)
  let checkpoint: Checkpoint = { entries: [], move: null, settledBytes: 0 }
  let mostStretches = 0
  for (let run = 1; ; run++) {
    const job = testJob(dir.file('a.zip'), [url])
    const stop = new AbortController()
    const isKilled = random() < 0.3
    let reached = checkpoint
    if (run <= runsToStop) source.callAfter(random() * 2_000_000, () => stop.abort(new Error('stop')))
    const outcome = await job.run({
      order: { checkpoint },
      limits: { firstBackoffMs: 1, maxBackoffMs: 4, attempts: 6 },
      stop: stop.signal,
      nowMs: () => performance.now() * CLOCK_FACTOR,
      onCommit: (changes) => {
        reached = applyChanges(reached, changes)
        for (const entry of reached.entries)
          if (entry.status === 'partial') mostStretches = Math.max(mostStretches, entry.stretches.length)
      },
    })
    const { partRequests } = source
    const ended = { partRequests, runs: run, mostStretches }
    if (outcome.status === 'failed')
      return { ...ended, outcome: 'failed', error: job.errors[0]?.[1] ?? 'none' }
    if (outcome.status === 'completed') {
      const [entry] = await readZip(job.archivePath)
      const isRight = source
        .wholeBodies()
        .some(
          ({ sizeBytes, seed }) =>
            entry?.sizeBytes === sizeBytes && entry.sha256 === expectedSha256(sizeBytes, seed),
        )
      return { ...ended, outcome: isRight ? 'right' : 'wrong', error: null }
    }
    // A kill loses what was not committed, but not what was written.
    if (!isKilled) checkpoint = reached
  }
}

interface Version {
  readonly sizeBytes: number
  readonly seed: number
}

/** A file that changes, on a host that can't be trusted. */
class RandomSource {
  readonly #versions: readonly Version[]
  readonly #random: () => number
  /** The second version is there from this request on. */
  readonly #changesAt: number
  readonly #lieShare: number
  readonly #faultShare: number
  /** What it does, if it lies: one host has one way. */
  readonly #lie: string
  readonly #pieceBytes: number
  #requests = 0
  #bytesLeft = Infinity
  #onSent = () => {}
  partRequests = 0

  constructor(random: () => number) {
    this.#random = random
    const sizeBytes = 1_100_000 + Math.floor(random() * 3_000_000)
    const isOtherSize = random() < 0.5
    this.#versions = [
      { sizeBytes, seed: 1 },
      { sizeBytes: isOtherSize ? sizeBytes + 1000 : sizeBytes, seed: 2 },
    ]
    this.#changesAt = random() < 0.3 ? 1 + Math.floor(random() * 12) : Infinity
    this.#lieShare = random() < 0.4 ? random() * 0.5 : 0
    this.#faultShare = random() < 0.6 ? random() * 0.4 : 0
    const lies = Object.keys(LIES)
    this.#lie = lies[Math.floor(random() * lies.length)] ?? 'whole'
    this.#pieceBytes = 16_384 + Math.floor(random() * 48_000)
  }

  /** What an entry may be: never a mixture of them. One lie is to send a whole other body. */
  wholeBodies(): readonly Version[] {
    const others = this.#versions.map(({ sizeBytes, seed }) => ({ sizeBytes, seed: wrongSeed(seed) }))
    return this.#lie === 'whole' ? [...this.#versions, ...others] : this.#versions
  }

  /** Calls `onSent` when this many more bytes were sent. */
  callAfter(bytes: number, onSent: () => void): void {
    this.#bytesLeft = bytes
    this.#onSent = onSent
  }

  answer({ headers }: OriginRequest): Reply {
    const random = this.#random
    this.#requests += 1
    const version = this.#versions[this.#requests >= this.#changesAt ? 1 : 0]
    if (version === undefined) throw new Error('there is no such version')
    const { sizeBytes, seed } = version
    const etag = `"v${seed}"`
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.get('range') ?? '') ?? []
    const isPart = first !== undefined && headers.get('if-range') === etag
    if (first !== undefined) this.partRequests += 1
    const start = isPart ? Number(first) : 0
    const end = isPart && last ? Number(last) + 1 : sizeBytes
    if (isPart && random() < this.#lieShare)
      return LIES[this.#lie]?.({ start, end, sizeBytes, seed, etag }) ?? { status: 500 }
    const isFaulty = random() < this.#faultShare
    const fault = isFaulty ? FAULTS[Math.floor(random() * FAULTS.length)] : undefined
    if (fault === 'busy') return { status: 503, headers: { 'Content-Length': '0' } }
    const keptBytes = fault === undefined ? end - start : Math.floor(random() * (end - start))
    return {
      status: isPart ? 206 : 200,
      headers: {
        'Content-Type': 'application/octet-stream',
        'Content-Length': String(end - start),
        'Accept-Ranges': 'bytes',
        ETag: etag,
        ...(isPart && { 'Content-Range': `bytes ${start}-${end - 1}/${sizeBytes}` }),
      },
      body: this.#paced(deterministicBytes(start + keptBytes, seed, start)),
      ending: fault ?? 'whole',
    }
  }

  /** A piece in about a millisecond. */
  async *#paced(parts: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for (const part of parts)
      for (let at = 0; at < part.length; at += this.#pieceBytes) {
        const piece = part.subarray(at, at + this.#pieceBytes)
        yield piece
        this.#bytesLeft -= piece.length
        if (this.#bytesLeft <= 0) this.#onSent()
        await Bun.sleep(1)
      }
  }
}

const FAULTS = ['cut', 'reset', 'busy'] as const

/** Most cases wait. */
const AT_ONCE = 8
/** A window of a rate takes two milliseconds. */
const CLOCK_FACTOR = 125
