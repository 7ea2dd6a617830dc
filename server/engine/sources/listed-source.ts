import { parseAuthority } from '../../fetching/parse-authority.ts'
import type { Sources, SourceToPack } from '../job-order.ts'

/** One URL of a job. It is read only when the job is about to fetch it. */
export interface ListedSource {
  readonly position: number
  /** `name:port`, as connections are counted; empty when the URL cannot be parsed. */
  readonly host: string
  read(): Promise<SourceToPack>
}

type ReadSource = (position: number) => Promise<SourceToPack>

/** The sources of one host, in list order. Its class keeps a hundred thousand hosts from having as many functions. */
export class HostSources {
  readonly #host: string
  readonly #positions: readonly number[]
  readonly #read: ReadSource

  constructor(host: string, positions: readonly number[], read: ReadSource) {
    this.#host = host
    this.#positions = positions
    this.#read = read
  }

  get count(): number {
    return this.#positions.length
  }

  *sources(): Generator<ListedSource> {
    const host = this.#host
    const read = this.#read
    for (const position of this.#positions) yield { position, host, read: () => read(position) }
  }
}

/**
 * Groups the sources by host. The first `MAX_KEPT_CHARACTERS` of the list stay in memory. Each other source is read again when it
 * is about to be fetched: eight jobs of 5,000 URLs of 8 KB would take 320 MB.
 * @param onSource called with each source, in order
 */
export async function groupByHost(
  sources: Sources,
  signal: AbortSignal,
  onSource?: (source: SourceToPack) => void,
): Promise<HostSources[]> {
  const positionsOf = new Map<string, number[]>()
  const kept: SourceToPack[] = []
  let characters = 0
  for (let first = 0; first < sources.length; ) {
    signal.throwIfAborted()
    const end = Math.min(first + batchSize(first, characters), sources.length)
    const batch = await sources.slice(first, end)
    if (batch.length !== end - first) throw sourcesGone()
    for (const [index, source] of batch.entries()) {
      characters += charactersOf(source)
      onSource?.(source)
      if (characters <= MAX_KEPT_CHARACTERS) kept.push(source)
      const host = parseAuthority(source.url)?.hostKey ?? ''
      const positions = positionsOf.get(host)
      if (positions === undefined) positionsOf.set(host, [first + index])
      else positions.push(first + index)
    }
    first = end
  }
  const read: ReadSource = (position) => {
    const known = kept[position]
    return known === undefined ? readOne(sources, position) : Promise.resolve(known)
  }
  return Array.from(positionsOf, ([host, positions]) => new HostSources(host, positions, read))
}

/** How many sources to read next, if they are about as long as those before. Each reading is a message and its answer. */
function batchSize(readCount: number, readCharacters: number): number {
  if (readCount === 0) return FIRST_BATCH
  const fitting = Math.floor((BATCH_CHARACTERS * readCount) / readCharacters)
  return Math.min(Math.max(fitting, FIRST_BATCH), MAX_BATCH)
}

function charactersOf({ url, filename, base }: SourceToPack): number {
  const ofBase = base === undefined ? 0 : base.name.length + base.finalName.length
  return url.length + (filename?.length ?? 0) + ofBase
}

async function readOne(sources: Sources, position: number): Promise<SourceToPack> {
  const [source] = await sources.slice(position, position + 1)
  if (source === undefined) throw sourcesGone()
  return source
}

function sourcesGone(): Error {
  return new Error('the sources of the job are no longer there')
}

/** 64 of the longest URLs are half a megabyte. */
const FIRST_BATCH = 64
const BATCH_CHARACTERS = 256 * 1024
/** Should the next sources be far longer than those before, these are 4 MB. */
const MAX_BATCH = 512

/** 5,000 URLs of 200 characters: more than nearly all lists have. */
const MAX_KEPT_CHARACTERS = 1024 * 1024
