import { parseAuthority } from '../../fetching/parse-authority.ts'
import type { Sources, SourceToPack } from '../job-order.ts'

/** One URL of a job. It is read only when the job is about to fetch it. */
export interface ListedSource {
  readonly position: number
  /** `name:port`, as connections are counted; empty when the URL cannot be parsed. */
  readonly host: string
  read(): SourceToPack | Promise<SourceToPack>
}

/** The sources of one host, in list order. */
export interface HostSources {
  readonly count: number
  sources(): Generator<ListedSource>
}

/**
 * Groups the sources by host. The first `MAX_KEPT_CHARACTERS` of a list that must be waited for stay in memory. Each other source
 * is read again when it is about to be fetched: eight jobs of 5,000 URLs of 8 KB would take 320 MB.
 */
export async function groupByHost(sources: Sources, signal: AbortSignal): Promise<HostSources[]> {
  const groups = new Map<string, PositionsOfHost>()
  const kept: SourceToPack[] = []
  let characters = 0
  for (let first = 0; first < sources.length; ) {
    signal.throwIfAborted()
    const count = batchSize(first, characters)
    const end = Math.min(first + count, sources.length)
    const found = sources.slice(first, end)
    const isInMemory = !(found instanceof Promise)
    const batch = isInMemory ? found : await found
    if (batch.length !== end - first) throw sourcesGone()
    batch.forEach((source, index) => {
      characters += charactersOf(source)
      if (!isInMemory && characters <= MAX_KEPT_CHARACTERS) kept.push(source)
      const host = parseAuthority(source.url)?.hostKey ?? ''
      let group = groups.get(host)
      if (group === undefined) {
        group = new PositionsOfHost(host, sources, kept)
        groups.set(host, group)
      }
      group.add(first + index)
    })
    first += batch.length
  }
  return [...groups.values()]
}

/** Only positions: an object for each of 100,000 sources takes as much memory as its URL. */
class PositionsOfHost implements HostSources {
  readonly #host: string
  readonly #sources: Sources
  readonly #kept: readonly SourceToPack[]
  readonly #positions: number[] = []

  /** @param kept the sources at the beginning of the list that need not be read again */
  constructor(host: string, sources: Sources, kept: readonly SourceToPack[]) {
    this.#host = host
    this.#sources = sources
    this.#kept = kept
  }

  get count(): number {
    return this.#positions.length
  }

  add(position: number): void {
    this.#positions.push(position)
  }

  *sources(): Generator<ListedSource> {
    for (const position of this.#positions)
      yield new SourceInList(position, this.#host, this.#sources, this.#kept[position] ?? null)
  }
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

class SourceInList implements ListedSource {
  readonly position: number
  readonly host: string
  readonly #sources: Sources
  readonly #kept: SourceToPack | null

  constructor(position: number, host: string, sources: Sources, kept: SourceToPack | null) {
    this.position = position
    this.host = host
    this.#sources = sources
    this.#kept = kept
  }

  read(): SourceToPack | Promise<SourceToPack> {
    if (this.#kept !== null) return this.#kept
    const found = this.#sources.slice(this.position, this.position + 1)
    // The command line has the list in memory, so that its sources need not be waited for.
    return found instanceof Promise ? found.then(onlyOne) : onlyOne(found)
  }
}

function onlyOne(sources: readonly SourceToPack[]): SourceToPack {
  const source = sources[0]
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
