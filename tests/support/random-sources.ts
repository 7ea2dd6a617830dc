import { deterministicBytes } from './origin/deterministic-bytes.ts'
import { type Reply, startHttpServer } from './origin/http-server.ts'
import type { OriginRequest } from './origin/read-requests.ts'

/** A server with the sources of one job: bodies of all kinds, slow ones, dead links, bodies that always break off, names that collide. */
export interface RandomSources extends AsyncDisposable {
  readonly sources: readonly RandomSource[]
  readonly listed: readonly { readonly url: string; readonly filename: string | null }[]
  /** How many requests were for a part with an end, as a segment is. */
  segmentCount(): number
}

/** @param largeShare of how many bodies there is one that is large and takes seconds, so that it arrives in segments */
export async function randomSources(
  random: () => number,
  count: number,
  largeShare = 0,
): Promise<RandomSources> {
  const sources = Array.from({ length: count }, () =>
    largeShare > 0 && random() < largeShare ? largeSource(random) : randomSource(random),
  ).map((source, index) => (index === count - 1 ? { ...source, delayMs: LAST_DELAY_MS } : source))
  let segmentCount = 0
  const server = await startHttpServer((request) => {
    if (/^bytes=\d+-\d+$/.test(request.headers.get('range') ?? '')) segmentCount += 1
    return answer(request, sources, random)
  })
  const listed = sources.map(({ path, filename }, index) => ({
    url: `http://127.0.0.1:${server.port}/${index}/${path}`,
    filename,
  }))
  return {
    sources,
    listed,
    segmentCount: () => segmentCount,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** A URL of a job, and how it behaves. */
export interface RandomSource {
  readonly path: string
  readonly filename: string | null
  readonly sizeBytes: number
  readonly seed: number
  readonly delayMs: number
  /** Between pieces of 64 KiB. */
  readonly paceMs: number
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
    paceMs: 1,
    isResumable: !breaks && random() < 0.7,
    isMissing: !breaks && random() < 0.1,
    breaksAt: breaks ? Math.floor(random() * sizeBytes) : null,
  }
}

function largeSource(random: () => number): RandomSource {
  const sizeBytes = 2_000_000 + Math.floor(random() * 4_000_000)
  return {
    ...randomSource(random),
    sizeBytes,
    paceMs: 30 + random() * 70,
    isResumable: true,
    isMissing: false,
    breaksAt: null,
  }
}

async function answer(
  { path, headers }: OriginRequest,
  sources: readonly RandomSource[],
  random: () => number,
): Promise<Reply> {
  const source = sources[Number(path.split('/')[1])]
  if (source === undefined || source.isMissing) return { status: 404, headers: { 'Content-Length': '0' } }
  const { sizeBytes, seed, delayMs, paceMs, isResumable, breaksAt } = source
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
    body: paced(deterministicBytes(sentEnd, seed, start), paceMs),
    ending: sentEnd < end ? 'cut' : 'whole',
  }
}

async function* paced(parts: Iterable<Uint8Array>, paceMs: number): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    yield part
    await Bun.sleep(paceMs)
  }
}

/** A job that ends sooner may have settled nothing until then. */
const LAST_DELAY_MS = 500
