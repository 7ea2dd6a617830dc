import { type Client, signInOwner } from './client.ts'
import { type Holdall, startHoldall } from './executable.ts'
import { startObjectStore } from './object-store.ts'
import { type RandomSources, randomSources } from './random-sources.ts'
import { seededRandom } from './seeded-random.ts'
import { until } from './until.ts'

/** What came of many early downloads. */
export interface EarlyDownloads {
  /** Empty when all is right. */
  readonly wrong: readonly string[]
  /** Downloads that ended well, those that told their client that they failed, and kills of the service. */
  readonly whole: number
  readonly failed: number
  readonly kills: number
  readonly cuts: number
  /** Of the whole ones, those that ended in a bucket, and those with a manifest. */
  readonly stored: number
  readonly withManifest: number
  /** Requests for a segment of a large body. */
  readonly segments: number
}

/**
 * Downloads archives while they are packed, several at once, from two services that are killed again and again; one of them has a bucket.
 * The line is cut at random, and the client goes on with `Range` and `If-Range`. Jobs fail and are retried, some from scratch; some have a
 * manifest, or copy from the archive of an earlier one. When a download ends as if it were whole, it is the finished archive, byte for
 * byte.
 */
export async function runEarlyDownloads(firstSeed: number, count: number): Promise<EarlyDownloads> {
  await using store = await startObjectStore()
  await using local = await startHoldall()
  await using storing = await startHoldall({
    args: ['--archive-store', store.address('early')],
    env: store.env,
  })
  const services = [
    new KilledService(local, await signInOwner(local)),
    new KilledService(storing, await signInOwner(storing), true),
  ]
  const wrong: string[] = []
  const totals = { whole: 0, failed: 0, cuts: 0, stored: 0, withManifest: 0, segments: 0 }
  let next = firstSeed
  let isOver = false
  const killAgain = async (service: KilledService, seed: number) => {
    const random = seededRandom(seed)
    while (!isOver) {
      // At any moment of the jobs and downloads of these seconds.
      await Bun.sleep(4000 + random() * 12_000)
      if (!isOver) await service.kill()
    }
  }
  const killing = services.map((service, index) => killAgain(service, firstSeed + index))
  const runOneByOne = async () => {
    while (next < firstSeed + count) {
      const seed = next++
      const random = seededRandom(seed)
      const service = services[random() < 0.5 ? 0 : 1] as KilledService
      await using server = await randomSources(random, 2 + Math.floor(random() * 24), LARGE_SHARE)
      const results = await runCase(service, random, server)
      totals.segments += server.segmentCount()
      for (const result of results) {
        wrong.push(...result.wrong.map((fault) => `${seed}: ${fault}`))
        totals.whole += result.whole
        totals.failed += result.failed
        totals.cuts += result.cuts
        if (service.hasStore) totals.stored += result.whole
        if (result.hasManifest) totals.withManifest += result.whole
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, runOneByOne))
  isOver = true
  await Promise.all(killing)
  return { ...totals, wrong, kills: services.reduce((total, { kills }) => total + kills, 0) }
}

/** A service whose requests are made again when it was killed meanwhile. */
class KilledService {
  readonly #holdall: Holdall
  readonly #client: Client
  readonly hasStore: boolean
  #restarting: Promise<void> = Promise.resolve()
  kills = 0

  constructor(holdall: Holdall, client: Client, hasStore = false) {
    this.#holdall = holdall
    this.#client = client
    this.hasStore = hasStore
  }

  async kill(): Promise<void> {
    const restart = async () => {
      await this.#holdall.kill()
      await this.#holdall.restart()
    }
    this.kills += 1
    this.#restarting = restart()
    await this.#restarting
  }

  /** The service has another port after each start. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    await this.#restarting
    return await fetch(this.#holdall.address + path, init)
  }

  async ask<T>(work: (client: Client) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      await this.#restarting
      try {
        return await work(this.#client)
      } catch (error) {
        if (attempt === MAX_ATTEMPTS) throw error
        await Bun.sleep(50)
      }
    }
  }
}

async function runCase(
  service: KilledService,
  random: () => number,
  { listed }: RandomSources,
): Promise<readonly JobResult[]> {
  const files = listed.map(({ url, filename }) => (filename === null ? { url } : { url, filename }))
  const settings = { files, fail_on_url_error: random() < 0.2 }
  const first = await runJob(service, random, { ...settings, manifest: random() < 0.4 })
  if (first.completedId === null || random() >= 0.3) return [first]
  const base = { job_id: first.completedId, reuse: random() < 0.5 ? 'all' : 'unchanged' }
  return [first, await runJob(service, random, { ...settings, manifest: random() < 0.4, base })]
}

interface JobResult {
  readonly wrong: readonly string[]
  readonly whole: number
  readonly failed: number
  readonly cuts: number
  readonly hasManifest: boolean
  readonly completedId: string | null
}

async function runJob(
  service: KilledService,
  random: () => number,
  settings: { readonly files: readonly object[]; readonly manifest: boolean } & Readonly<
    Record<string, unknown>
  >,
): Promise<JobResult> {
  const id = await service.ask((client) => client.createJob(settings))
  const { early_download_url: url } = await service.ask((client) => client.getJob(id))
  // It may have ended already.
  const hasManifest = settings.manifest
  if (url === undefined) return { wrong: [], whole: 0, failed: 0, cuts: 0, hasManifest, completedId: null }
  const download = new EarlyDownload(service, new URL(url).pathname, random)
  const retries = Math.floor(random() * 3)
  for (let retry = 0; ; retry++) {
    const got = await download.run()
    const job = await service.ask((client) => client.untilEnded(id))
    const counts = { cuts: download.cuts, hasManifest }
    if (job.status === 'completed') {
      // What broke off may go on by the same link.
      const whole = got ?? (await download.run())
      const { download_url } = await service.ask((client) => client.getJob(id))
      const expected = await service.ask(async () => {
        const response = await service.fetch(new URL(download_url ?? '').pathname)
        return await response.bytes()
      })
      const isRight = whole !== null && Buffer.compare(whole, expected) === 0
      const fault = `${whole?.length} bytes instead of ${expected.length}, or other ones`
      return { ...counts, wrong: isRight ? [] : [fault], whole: 1, failed: 0, completedId: id }
    }
    const faults = got === null ? [] : ['a download of a failed job ended as if it were whole']
    if (retry >= retries) return { ...counts, wrong: faults, whole: 0, failed: 1, completedId: null }
    const isFromScratch = random() < 0.3
    await service.ask((client) =>
      client.request('POST', `/jobs/${id}/retry`, {
        from_checkpoint: !isFromScratch,
        skip_failed: random() < 0.7,
      }),
    )
  }
}

/** A client that goes on where the line was cut, as curl and browsers do, and starts over when the archive is another one. */
class EarlyDownload {
  readonly #service: KilledService
  readonly #path: string
  readonly #random: () => number
  #etag: string | null = null
  #have: Buffer[] = []
  #haveBytes = 0
  cuts = 0

  constructor(service: KilledService, path: string, random: () => number) {
    this.#service = service
    this.#path = path
    this.#random = random
  }

  /** @returns the file when the download has ended well; null when the job has failed */
  async run(): Promise<Buffer | null> {
    const end = async () => {
      const outcome = await this.#attempt()
      return outcome !== 'cut' && outcome
    }
    const outcome = await until('the download has ended', end, { deadlineMs: 300_000, everyMs: 20 })
    return outcome === 'whole' ? Buffer.concat(this.#have) : null
  }

  async #attempt(): Promise<'whole' | 'cut' | 'gone'> {
    const stop = new AbortController()
    const cutAt = this.#random() < 0.5 ? this.#random() * 600_000 : Infinity
    /** A slow client may still read when the bucket has the archive, and its file is deleted. */
    const pauseMs = this.#random() < 0.2 ? this.#random() * 40 : 0
    const timer = this.#random() < 0.3 ? setTimeout(() => stop.abort(), this.#random() * 400) : undefined
    try {
      const range: Record<string, string> =
        this.#haveBytes === 0
          ? {}
          : { range: `bytes=${this.#haveBytes}-`, ...(this.#etag !== null && { 'if-range': this.#etag }) }
      const response = await this.#service.fetch(this.#path, { headers: range, signal: stop.signal })
      const { status, headers } = response
      if (status === 416) return 'whole'
      if (status === 403) return 'gone'
      if (status !== 200 && status !== 206) return 'cut'
      if (status === 200) {
        this.#have = []
        this.#haveBytes = 0
      }
      this.#etag = headers.get('etag')
      let received = 0
      for await (const piece of response.body ?? []) {
        this.#have.push(Buffer.from(piece))
        this.#haveBytes += piece.length
        received += piece.length
        if (pauseMs > 0) await Bun.sleep(pauseMs)
        if (received > cutAt) {
          this.cuts += 1
          stop.abort()
          return 'cut'
        }
      }
      return 'whole'
    } catch {
      this.cuts += 1
      return 'cut'
    } finally {
      clearTimeout(timer)
    }
  }
}

/** A body that always breaks off takes seconds, and begins again after each kill. */
const AT_ONCE = 12
const MAX_ATTEMPTS = 100
/** One in two lists has a large body. */
const LARGE_SHARE = 0.05
