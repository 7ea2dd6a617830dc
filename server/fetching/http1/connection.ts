import type { Channel, ChannelListener } from './channel.ts'
import { Exchange } from './exchange.ts'
import { CLOSED_BY_CLIENT, Http1Failure, StaleConnection } from './failure.ts'
import type { GatedReader, ReadGate } from './read-gate.ts'
import type { Http1Response, OriginTrust, ResponseConnection } from './response.ts'

/** What a connection needs of the pool of its origin. */
export interface ConnectionOwner extends OriginTrust {
  /** A response has ended, and the server allows another request. */
  onIdle(connection: Connection): void
  /** Bytes have come that no request asked for: the server can't be trusted to keep its responses apart. */
  onSurplus(connection: Connection): void
  onClosed(connection: Connection): void
}

/**
 * A connection that serves one request after the other (RFC 9112 section 9.3).
 *
 * States: idle -> busy -> idle -> ... -> closed, from any. It is idle when it is new.
 * Methods in the order in which they may be called: `send` when idle; `close` at any time.
 */
export class Connection implements ChannelListener, ResponseConnection, GatedReader {
  readonly address: string
  /** When its last response ended, by `performance.now()`. */
  idleSinceMs = 0
  /** How long its last request took, until the end of the response. */
  exchangeMs = 0
  readonly #owner: ConnectionOwner
  readonly #channel: Channel
  readonly #gate: ReadGate | null
  #isPaused = false
  #isHeld = false
  #exchange: Exchange | null = null
  #exchangeCount = 0
  #isOpen = true
  /** What the socket has not taken yet. */
  #unsent: Uint8Array = NO_BYTES
  #sentMs = 0
  #signal: AbortSignal | null = null

  /** @param gate limits how fast responses are read; null without a limit */
  constructor(address: string, channel: Channel, owner: ConnectionOwner, gate: ReadGate | null) {
    this.address = address
    this.#gate = gate
    this.#channel = channel
    this.#owner = owner
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Whether its current or last response could be one to an earlier request. */
  get isReused(): boolean {
    return this.#exchangeCount > 1
  }

  /**
   * Sends a request.
   * @throws StaleConnection when it should be sent over a new connection
   * @throws Http1Failure, or the reason of the signal
   */
  send(method: 'GET' | 'HEAD', request: Uint8Array, signal: AbortSignal): Promise<Http1Response> {
    this.#exchangeCount++
    const exchange = new Exchange(method, this, !this.isReused)
    this.#exchange = exchange
    this.#signal = signal
    signal.addEventListener('abort', this.#onAbort, { once: true })
    this.#unsent = request
    this.#sentMs = performance.now()
    this.#channel.timeout(0)
    this.#gate?.add(this)
    if (signal.aborted) this.#onAbort()
    else if (this.#isOpen) this.#flush()
    else this.#fail(new Http1Failure('closed-early'))
    return exchange.response
  }

  /** @param failure why the response ends early, if it has not ended */
  close(failure: unknown): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#channel.terminate()
    this.#fail(failure)
    this.#owner.onClosed(this)
  }

  pause(): void {
    this.#isPaused = true
    if (this.#isOpen && !this.#isHeld) this.#channel.pause()
  }

  resume(): void {
    this.#isPaused = false
    if (this.#isOpen && !this.#isHeld) this.#channel.resume()
  }

  hold(): void {
    if (this.#isHeld) return
    this.#isHeld = true
    if (this.#isOpen && !this.#isPaused) this.#channel.pause()
  }

  letRead(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    if (this.#isOpen && !this.#isPaused) this.#channel.resume()
  }

  cancel(): void {
    this.close(CLOSED_BY_CLIENT)
  }

  get origin(): OriginTrust {
    return this.#owner
  }

  onData(bytes: Buffer): void {
    if (!this.#isOpen) return
    const exchange = this.#exchange
    if (exchange === null) this.#surplus()
    else this.#take(bytes, exchange)
  }

  onDrain(): void {
    this.#flush()
  }

  onEnd(isTruncated: boolean): void {
    const exchange = this.#exchange?.endsWithConnection === true ? this.#exchange : null
    if (exchange !== null && !isTruncated) {
      exchange.endWithConnection()
      this.#release()
    }
    this.close(new Http1Failure(exchange !== null && isTruncated ? 'tls-truncated' : 'closed-early'))
  }

  onClose(failure: Http1Failure): void {
    this.close(failure)
  }

  onIdleTimeout(): void {
    this.close(CLOSED_BY_CLIENT)
  }

  #take(bytes: Buffer, exchange: Exchange): void {
    const receivedBytes = bytes.length
    this.#gate?.received(this, receivedBytes)
    let usedBytes: number
    try {
      usedBytes = exchange.take(bytes)
    } catch (error) {
      this.close(error)
      return
    }
    if (!exchange.isDone) return
    this.#release()
    if (usedBytes < receivedBytes) this.#surplus()
    else if (exchange.allowsReuse) this.#becomeIdle()
    else this.close(CLOSED_BY_CLIENT)
  }

  #becomeIdle(): void {
    this.idleSinceMs = performance.now()
    this.exchangeMs = this.idleSinceMs - this.#sentMs
    this.#channel.timeout(IDLE_SECONDS)
    this.#owner.onIdle(this)
  }

  #flush(): void {
    if (this.#unsent.length === 0) return
    const writtenBytes = this.#channel.write(this.#unsent)
    if (writtenBytes < 0) this.close(new Http1Failure('closed-early'))
    else if (writtenBytes === this.#unsent.length) this.#unsent = NO_BYTES
    else this.#unsent = this.#unsent.subarray(writtenBytes)
  }

  #surplus(): void {
    this.#owner.onSurplus(this)
    this.close(CLOSED_BY_CLIENT)
  }

  #fail(failure: unknown): void {
    const exchange = this.#exchange
    this.#release()
    // RFC 9110 section 9.2.2: a GET or HEAD may be repeated.
    const isStale = exchange?.hasReceived === false && this.isReused && failure instanceof Http1Failure
    exchange?.fail(isStale ? new StaleConnection(failure.reason, failure.code) : failure)
  }

  /** The exchange has ended. */
  #release(): void {
    this.#exchange = null
    this.#gate?.delete(this)
    this.#signal?.removeEventListener('abort', this.#onAbort)
    this.#signal = null
  }

  readonly #onAbort = () => this.close(this.#signal?.reason)
}

const NO_BYTES = new Uint8Array(0)
/**
 * An idle connection is held without a lease, so it is closed soon, after 4 to 8 seconds. A job that still has URLs of the host uses it
 * again within milliseconds. If the server has closed it earlier, the request is sent again over another one.
 */
const IDLE_SECONDS = 8
