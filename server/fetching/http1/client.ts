import { Connection } from './connection.ts'
import { StaleConnection } from './failure.ts'
import { connectToAny } from './happy-eyeballs.ts'
import { IdleConnections } from './idle-connections.ts'
import { OriginPool } from './pool.ts'
import { formatHeaders, formatRequest, type RequestHead } from './request-head.ts'
import type { Http1Response } from './response.ts'
import { upgradeToTls } from './tls.ts'

export { Http1Failure, type Http1Reason } from './failure.ts'
export type { ResponseHeaders } from './head.ts'
export type { RequestHead } from './request-head.ts'
export type { Http1Response, OriginTrust } from './response.ts'

/** Where a request goes. */
export interface Origin {
  readonly isSecure: boolean
  /** The host of the URL. With TLS, the certificate must be for this name or address. */
  readonly serverName: string
  readonly port: number
  /** The addresses of the host, checked just now. A request goes to no other address. */
  readonly addresses: readonly string[]
}

export interface Http1Request {
  readonly origin: Origin
  readonly head: RequestHead
  /** Ends the request, and the body, with its reason: nothing here has a time limit. */
  readonly signal: AbortSignal
  /** Called when the connection is there, with TLS. Once more if the request must be sent over another one. */
  readonly onConnected?: () => void
}

export interface Http1ClientOptions {
  /** Sent with each request, after its own headers, unless it has one of the same name. Names are in lower case. */
  readonly headers?: RequestHead['headers']
  /** Certificates in PEM format, to trust beside those that are built in. */
  readonly ca?: readonly string[]
}

/**
 * Sends GET and HEAD requests over HTTP/1.1 (RFC 9112), and keeps their connections for further requests to the same origin.
 * Disposing of it closes the idle ones.
 *
 * It is used instead of `fetch`, which does not show how a body ended, sends the next request before surplus bytes of the last response
 * have shown, takes for malformed what other programs accept, and does not tell when it has connected.
 */
export class Http1Client implements Disposable {
  readonly #ca: string[] | undefined
  readonly #headers: RequestHead['headers']
  readonly #headerLines: string
  /** By origin. That of the last request comes last. */
  readonly #pools = new Map<string, OriginPool>()
  readonly #idle = new IdleConnections()

  constructor({ headers = [], ca = [] }: Http1ClientOptions = {}) {
    this.#headers = headers
    this.#headerLines = formatHeaders(headers)
    this.#ca = ca.length === 0 ? undefined : [...defaultCertificates(), ...ca]
  }

  /**
   * Sends a request, over an idle connection if there is one. Resolves when the head of the response has arrived.
   * @throws Http1Failure, or the reason of the signal
   */
  async request({ origin, head, signal, onConnected }: Http1Request): Promise<Http1Response> {
    signal.throwIfAborted()
    const bytes = formatRequest(head, this.#linesBeside(head))
    const pool = this.#poolOf(origin)
    const idle = await pool.take(origin.addresses)
    if (idle !== null) {
      try {
        onConnected?.()
        return await idle.send(head.method, bytes, signal)
      } catch (error) {
        if (!(error instanceof StaleConnection)) throw error
      }
    }
    const connection = await this.#connect(origin, pool, signal)
    onConnected?.()
    return await connection.send(head.method, bytes, signal)
  }

  #linesBeside({ headers }: RequestHead): string {
    const others = this.#headers.filter(([name]) => !headers.some(([given]) => given === name))
    return others.length === this.#headers.length ? this.#headerLines : formatHeaders(others)
  }

  /** Closes idle connections to a host until so many are left, for example when it may get fewer at a time. */
  closeIdle(serverName: string, port: number, keptCount = 0): void {
    for (const isSecure of [false, true]) {
      this.#pools.get(keyOf({ isSecure, serverName, port }))?.closeIdle(keptCount)
    }
  }

  [Symbol.dispose](): void {
    this.#idle.closeAll()
  }

  #poolOf(origin: Origin): OriginPool {
    const key = keyOf(origin)
    const pool = this.#pools.get(key) ?? new OriginPool(this.#idle)
    this.#pools.delete(key)
    this.#pools.set(key, pool)
    if (this.#pools.size > MAX_ORIGINS) this.#forgetOldest()
    return pool
  }

  #forgetOldest(): void {
    const [oldest] = this.#pools.keys()
    if (oldest !== undefined) this.#pools.delete(oldest)
  }

  async #connect(origin: Origin, pool: OriginPool, signal: AbortSignal): Promise<Connection> {
    const { isSecure, serverName, port } = origin
    const addresses = preferring(pool.preferredAddress, origin.addresses)
    const { socket, address, connectMs } = await connectToAny(addresses, port, signal)
    pool.connected(address, connectMs)
    if (!isSecure) {
      const connection = new Connection(address, socket, pool)
      socket.data.listener = connection
      return connection
    }
    const onSession = (session: Uint8Array) => {
      pool.tlsSession = session
    }
    const settings = { serverName, ca: this.#ca, session: pool.tlsSession, onSession }
    const { channel, link } = await upgradeToTls(socket, settings, signal)
    const connection = new Connection(address, channel, pool)
    link.listener = connection
    return connection
  }
}

function keyOf({ isSecure, serverName, port }: Omit<Origin, 'addresses'>): string {
  return `${isSecure ? 'https' : 'http'}://${serverName}:${port}`
}

function preferring(preferred: string | null, addresses: readonly string[]): readonly string[] {
  if (preferred === null || !addresses.includes(preferred)) return addresses
  return [preferred, ...addresses.filter((address) => address !== preferred)]
}

/** What is known of an origin that was forgotten meanwhile is learned anew, with the same care as at first. */
const MAX_ORIGINS = 4096

/** `ca` replaces these. */
function defaultCertificates(): readonly string[] {
  return process.getBuiltinModule('node:tls').getCACertificates('default')
}
