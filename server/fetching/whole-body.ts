import { estimateShallowMemoryUsageOf } from 'bun:jsc'

/** What reads a body, as the reader of a stream does. */
export type BodyReader = Pick<ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>, 'read' | 'cancel'>

/**
 * Reads a body that has arrived whole, with the headers of its response, as most small ones do: at once, in one piece. As a
 * stream, it would take more time, and Bun would keep a second copy of it until the next garbage collection.
 */
export class WholeBody implements BodyReader {
  readonly #response: Response
  #isRead = false

  /** Null when the body is still arriving, or may be: then it must be read as a stream, which shows its progress. */
  static of(response: Response): WholeBody | null {
    const bytes = arrivedBytes(response)
    const isWhole = bytes > 0 && response.headers.get('content-length') === `${bytes}`
    return isWhole ? new WholeBody(response) : null
  }

  private constructor(response: Response) {
    this.#response = response
  }

  async read(): ReturnType<BodyReader['read']> {
    if (this.#isRead) return ENDED
    this.#isRead = true
    return { done: false, value: new Uint8Array(await this.#response.arrayBuffer()) }
  }

  async cancel(): Promise<void> {
    // Nothing is arriving.
  }
}

/**
 * The length of a body that is whole; 0 while it is arriving. Bun shows it only in its estimate of the memory of a response,
 * which it makes once, when the response begins: the sum of the object, the URL, the reason phrase and the whole body.
 */
function arrivedBytes(response: Response): number {
  const { url, statusText } = response
  // In another reason phrase, each character takes two bytes. So a host could make a body look whole.
  if (!ASCII.test(statusText)) return 0
  return estimateShallowMemoryUsageOf(response) - EMPTY_RESPONSE_BYTES - url.length - statusText.length
}

const ASCII = /^[ -~]*$/
const EMPTY_RESPONSE_BYTES = estimateShallowMemoryUsageOf(new Response(null))
const ENDED = { done: true, value: undefined } as const
