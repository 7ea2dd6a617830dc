import { checkStatus } from '../../fetching/check-status.ts'
import { decodedBody } from '../../fetching/decode.ts'
import { FetchFailure } from '../../fetching/fetch-failure.ts'
import { fetchUrl } from '../../fetching/fetch-url.ts'
import { parseSourceUrl } from '../../fetching/source-url.ts'
import type { InspectionContext } from './connections.ts'
import type { ReceivedPage } from './page.ts'
import { withRetries } from './with-retries.ts'

/** A page is larger than `MAX_PAGE_BYTES`. */
export class PageTooLarge extends Error {
  override readonly name = 'PageTooLarge'
}

/**
 * Fetches a page into memory.
 * @throws FetchFailure, or PageTooLarge
 */
export async function fetchPage(context: InspectionContext, url: string): Promise<ReceivedPage> {
  const submitted = parseSourceUrl(url)
  using connection = context.connect()
  return await withRetries(context, connection, async () => {
    using response = await fetchUrl(submitted, () => null, context, connection)
    connection.answered()
    checkStatus(response)
    if (response.status === 206) throw new FetchFailure('Malformed response')
    const declaredBytes = Number(response.headers.get('content-length') ?? 0)
    if (declaredBytes > MAX_PAGE_BYTES) throw new PageTooLarge()
    const body = decodedBody(response, [], inMemory) ?? response.body
    const bytes = await collect(body)
    if (response.doubtfulWith?.hadSurplus === true) throw new FetchFailure('Connection closed early')
    return { url: response.url.href, contentType: response.headers.get('content-type'), bytes }
  })
}

type Pieces = AsyncIterable<Uint8Array<ArrayBuffer>>

/** A coding that needs a large window is decoded when its whole body is here. */
async function* inMemory(body: Pieces): Pieces {
  yield await collect(body)
}

async function collect(body: Pieces): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.length
    if (bytes > MAX_PAGE_BYTES) throw new PageTooLarge()
    pieces.push(piece)
  }
  return new Uint8Array(Buffer.concat(pieces))
}

const MAX_PAGE_BYTES = 10_000_000
