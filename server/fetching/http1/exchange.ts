import { concatenated, releaseMemory } from '../../bytes.ts'
import { Http1Failure } from './failure.ts'
import { allowsReuse, type Framing, framingOf } from './framing.ts'
import { beginsLikeHead, endOfHead, parseHead } from './head.ts'
import { Http1Response, type ResponseConnection } from './response.ts'

/**
 * One request and its response: reads the head, then the body, from what the connection receives.
 *
 * Methods in the order in which they may be called: `take` until `isDone`; or else `endWithConnection` or `fail`, once.
 */
export class Exchange {
  readonly response: Promise<Http1Response>
  readonly #begun = Promise.withResolvers<Http1Response>()
  readonly #method: 'GET' | 'HEAD'
  readonly #connection: ResponseConnection
  readonly #isFirst: boolean
  #response: Http1Response | null = null
  #framing: Framing | null = null
  #headBytes = 0
  /** The begin of a head whose end has not arrived. */
  #partialHead: Buffer = NO_BYTES
  #allowsReuse = false

  /** @param isFirst whether it is the first of its connection */
  constructor(method: 'GET' | 'HEAD', connection: ResponseConnection, isFirst: boolean) {
    this.#method = method
    this.#connection = connection
    this.#isFirst = isFirst
    this.response = this.#begun.promise
  }

  /** Whether the response has ended at a message boundary. */
  get isDone(): boolean {
    return this.#framing?.isDone === true
  }

  /** Whether the connection may serve another request after this one, as far as the response says. */
  get allowsReuse(): boolean {
    return this.#allowsReuse
  }

  get hasReceived(): boolean {
    return this.#headBytes > 0 || this.#partialHead.length > 0
  }

  /** Whether the body ends with the connection. */
  get endsWithConnection(): boolean {
    return this.#framing?.endsWithConnection === true
  }

  /**
   * @returns how many of the bytes belong to the response; the others come after it
   * @throws Http1Failure `malformed`
   */
  take(bytes: Buffer): number {
    const receivedBytes = bytes.length
    let rest = bytes
    while (this.#framing === null) {
      const afterHead = this.#takeHead(rest)
      if (afterHead === null) return receivedBytes
      rest = afterHead
    }
    const parts: Buffer[] = []
    const usedBytes = this.#framing.take(rest, parts)
    if (parts.length > 0) this.#response?.add(pieceOf(parts, bytes))
    if (this.#framing.isDone) this.#response?.end({ isWhole: true })
    return receivedBytes - (rest.length - usedBytes)
  }

  /** The connection has ended in order, and the body with it. Only if `endsWithConnection`. */
  endWithConnection(): void {
    this.#response?.end({ isWhole: true })
  }

  /** @param failure a `Http1Failure`, or the reason of a signal */
  fail(failure: unknown): void {
    if (this.#response === null) this.#begun.reject(failure)
    else this.#response.end({ isWhole: false, failure })
  }

  /** @returns what follows the head, or null if its end has not arrived */
  #takeHead(bytes: Buffer): Buffer | null {
    const partial = this.#partialHead
    const all = partial.length === 0 ? bytes : Buffer.concat([partial, bytes])
    // The blank line may have begun in the part before.
    const end = endOfHead(all, Math.max(partial.length - 2, 0))
    const headBytes = end < 0 ? all.length : end
    if (this.#headBytes + headBytes > MAX_HEAD_BYTES) throw new Http1Failure('malformed', 'head too large')
    this.#partialHead = end < 0 ? all : NO_BYTES
    if (end < 0) {
      if (!beginsLikeHead(all)) throw new Http1Failure('malformed', 'status line')
      return null
    }
    this.#headBytes += headBytes
    this.#endHead(all.toString('latin1', 0, end))
    return all.subarray(end)
  }

  /** RFC 9110 section 15.2: any number of informational responses may come first. */
  #endHead(text: string): void {
    const head = parseHead(text)
    if (head.status === 101) throw new Http1Failure('malformed', 'unrequested upgrade')
    if (head.status < 200) return
    this.#framing = framingOf(head, this.#method)
    this.#allowsReuse = allowsReuse(head)
    this.#response = new Http1Response(head, this.#connection, this.#isFirst)
    this.#begun.resolve(this.#response)
  }
}

/**
 * One piece that is its whole buffer, so that its memory can be freed as soon as it is written. What stands beside the body, such as
 * its head, is left behind, and what was received is freed: the garbage collector would do so much later.
 */
function pieceOf(parts: readonly Buffer[], received: Buffer): Uint8Array<ArrayBuffer> {
  const [only] = parts
  if (only?.length === received.length) {
    const { buffer } = received
    if (buffer instanceof ArrayBuffer && buffer.byteLength === only.length) return new Uint8Array(buffer)
  }
  const piece = concatenated(parts)
  releaseMemory(received)
  return piece
}

const NO_BYTES = Buffer.alloc(0)
/** Of all heads of a response together. curl allows 300 KB. */
const MAX_HEAD_BYTES = 256 * 1024
