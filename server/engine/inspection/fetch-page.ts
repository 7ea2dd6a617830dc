import type { Pieces } from '../../archive/reading/unpacked.ts'
import { releaseMemory } from '../../bytes.ts'
import { FetchFailure } from '../../fetching/attempts/fetch-failure.ts'
import { checkStatus } from '../../fetching/content/check-status.ts'
import { decodedBody } from '../../fetching/content/decode.ts'
import { fetchUrl } from '../../fetching/fetch-url.ts'
import { parseSourceUrl } from '../../fetching/source-url.ts'
import { collectWithin } from '../../garbage.ts'
import { withRetries } from '../connections/with-retries.ts'
import type { InspectionContext, LargePages } from './context.ts'
import type { ReceivedPage } from './page.ts'

/** A page is larger than `MAX_PAGE_BYTES`. */
export class PageTooLarge extends Error {
  override readonly name = 'PageTooLarge'
}

/** Disposing of it lets others have a large page in memory. */
export interface FetchedPage extends ReceivedPage, Disposable {}

/**
 * Fetches a page into memory.
 * @throws FetchFailure, or PageTooLarge
 */
export async function fetchPage(context: InspectionContext, url: string): Promise<FetchedPage> {
  const submitted = parseSourceUrl(url)
  const { fetchContext } = context.connections
  const { limits } = fetchContext
  const { signal } = context
  using connection = context.connections.connect()
  return await withRetries({ limits, signal }, connection, async () => {
    using response = await fetchUrl(submitted, () => null, fetchContext, connection)
    connection.answered()
    checkStatus(response)
    if (response.status === 206) throw new FetchFailure('Malformed response')
    const declaredBytes = Number(response.headers.get('content-length') ?? 0)
    if (declaredBytes > MAX_PAGE_BYTES) throw new PageTooLarge()
    using reading = new DisposableStack()
    const timedOut = () => connection.end(new FetchFailure('Timed out'))
    const room = reading.use(new Room(context.largePages, signal, timedOut))
    const inMemory = (body: Pieces) => whole(body, room)
    const body = decodedBody(response, [], inMemory) ?? response.body
    const bytes = await collect(body, room)
    if (response.doubtfulWith?.hadSurplus === true) throw new FetchFailure('Connection closed early')
    reading.move()
    return {
      url: response.url.href,
      contentType: response.headers.get('content-type'),
      bytes,
      [Symbol.dispose]: () => room[Symbol.dispose](),
    }
  })
}

/** A coding that needs a large window is decoded when its whole body is here. */
async function* whole(body: Pieces, room: Room): Pieces {
  yield await collect(body, room)
}

async function collect(body: Pieces, room: Room): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.length
    if (bytes > MAX_PAGE_BYTES) throw new PageTooLarge()
    if (bytes > SMALL_PAGE_BYTES) await room.take()
    pieces.push(piece)
  }
  const all = Buffer.concat(pieces)
  pieces.forEach(releaseMemory)
  return all
}

/** Held by a page that is large, until its links are found. */
class Room implements Disposable {
  readonly #largePages: LargePages
  readonly #signal: AbortSignal
  readonly #onRevoked: () => void
  #held: Disposable | null = null

  constructor(largePages: LargePages, signal: AbortSignal, onRevoked: () => void) {
    this.#largePages = largePages
    this.#signal = signal
    this.#onRevoked = onRevoked
  }

  async take(): Promise<void> {
    this.#held ??= await this.#largePages.acquire(this.#signal, this.#onRevoked)
  }

  [Symbol.dispose](): void {
    if (this.#held === null) return
    collectWithin()
    this.#held[Symbol.dispose]()
    this.#held = null
  }
}

const MAX_PAGE_BYTES = 10_000_000
/** Most listings. As many as one inspection fetches at once are no more than one large page. */
const SMALL_PAGE_BYTES = 1_000_000
