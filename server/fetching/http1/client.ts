// server/decisions/fetching.md says why sources are not fetched by Bun's `fetch`.

import { alsoTrusting } from '../verified-tls.ts'
import type { ConnectedChannel } from './channel.ts'
import { Connection } from './connection.ts'
import { ConnectionCount } from './connection-count.ts'
import { StaleConnection } from './failure.ts'
import { type Connected, connectToAny } from './happy-eyeballs.ts'
import { OriginPool } from './pool.ts'
import type { ReadGate } from './read-gate.ts'
import { formatRequest, type RequestHead } from './request-head.ts'
import type { Http1Response } from './response.ts'
import { connectThrough, type ProxyHop, requestThrough } from './through-proxy.ts'
import { type TlsSettings, upgradeToTls } from './tls.ts'

export { Http1Failure, type Http1Reason, ProxyFailure } from './failure.ts'
export type { ResponseHeaders } from './head.ts'
export { ReadGate } from './read-gate.ts'
export type { RequestHead } from './request-head.ts'
export type { Http1Response, OriginTrust } from './response.ts'
export type { ProxyHop } from './through-proxy.ts'

/** Where a request goes. */
export interface Origin {
  readonly isSecure: boolean
  /** The host of the URL. With TLS, the certificate must be for this name or address. */
  readonly serverName: string
  readonly port: number
  /** The addresses of the host, checked just now, or those of the proxy. A request goes to no other address. */
  readonly addresses: readonly string[]
  /** The proxy for all requests to this origin, if there is one. */
  readonly proxy?: ProxyHop | null
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
  /** Limits how fast responses are read; null without a limit. */
  readonly gate?: ReadGate | null
}

/**
 * Sends GET and HEAD requests over HTTP/1.1 (RFC 9112), and keeps their connections for further requests to the same origin.
 * Disposing of it closes the idle ones.
 *
 * It is used instead of `fetch`, which does not show how a body ended, sends the next request before surplus bytes of the last response
 * have shown, takes for malformed what other programs accept, and does not tell when it has connected.
 */
export class Http1Client implements Disposable {
  readonly #ca: string | undefined
  readonly #headers: RequestHead['headers']
  /** For proxies, too. */
  readonly #userAgent: string | null
  readonly #gate: ReadGate | null
  /** By origin. That of the last request comes last. */
  readonly #pools = new Map<string, OriginPool>()
  readonly #open = new ConnectionCount()
  readonly #proxySessions = new Map<string, Uint8Array>()

  constructor({ headers = [], ca = [], gate = null }: Http1ClientOptions = {}) {
    this.#headers = headers
    this.#userAgent = headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1] ?? null
    this.#gate = gate
    this.#ca = alsoTrusting(ca).ca
  }

  /**
   * Sends a request, over an idle connection if there is one. Resolves when the head of the response has arrived.
   * @throws Http1Failure, or the reason of the signal
   */
  async request(request: Http1Request): Promise<Http1Response> {
    const { origin, signal } = request
    signal.throwIfAborted()
    const { proxy } = origin
    if (!proxy || origin.isSecure) return await this.#send(request)
    return await requestThrough(proxy, request.head, (head) => this.#send({ ...request, head }))
  }

  /** Whether there is a limit on how fast responses are read. */
  get isLimited(): boolean {
    return this.#gate !== null
  }

  /** For how long the limit has kept it from reading responses, in all. */
  heldMs(): number {
    return this.#gate?.heldMs() ?? 0
  }

  /**
   * Keeps no more connections open than this, idle ones included: the oldest idle ones are closed for new ones. That there are no more
   * requests than this at a time is up to the caller. By default, there is no limit.
   */
  allow(connections: number): void {
    this.#open.allow(connections)
  }

  [Symbol.dispose](): void {
    this.#open.closeIdle()
  }

  async #send({ origin, head, signal, onConnected }: Http1Request): Promise<Http1Response> {
    const bytes = formatRequest({ ...head, headers: [...head.headers, ...this.#headersBeside(head)] })
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

  #headersBeside({ headers }: RequestHead): RequestHead['headers'] {
    return this.#headers.filter(([name]) => !headers.some(([given]) => given === name))
  }

  #poolOf(origin: Origin): OriginPool {
    const key = keyOf(origin)
    const pool = this.#pools.get(key) ?? new OriginPool(this.#open)
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
    this.#open.opening()
    try {
      return await this.#openConnection(origin, pool, signal)
    } catch (error) {
      this.#open.closed()
      throw error
    }
  }

  async #openConnection(origin: Origin, pool: OriginPool, signal: AbortSignal): Promise<Connection> {
    const addresses = preferring(pool.preferredAddress, origin.addresses)
    const tls = this.#tlsOf(origin, pool)
    const { proxy } = origin
    const { channel, link, address, connectMs } = proxy
      ? await connectThrough(
          proxy,
          { ...origin, addresses },
          this.#userAgent,
          this.#tlsOfProxy(proxy),
          tls,
          signal,
        )
      : await connectDirectly(addresses, origin.port, tls, signal)
    pool.connected(address, connectMs)
    const connection = new Connection(address, channel, pool, this.#gate)
    link.listener = connection
    return connection
  }

  /** Null without TLS. */
  #tlsOf({ isSecure, serverName }: Origin, pool: OriginPool): TlsSettings | null {
    if (!isSecure) return null
    const onSession = (session: Uint8Array) => {
      pool.tlsSession = session
    }
    return { serverName, ca: this.#ca, session: pool.tlsSession, onSession }
  }

  #tlsOfProxy({ isSecure, serverName, port }: ProxyHop): TlsSettings | null {
    if (!isSecure) return null
    const key = `${serverName}:${port}`
    const onSession = (session: Uint8Array) => void this.#proxySessions.set(key, session)
    return { serverName, ca: this.#ca, session: this.#proxySessions.get(key) ?? null, onSession }
  }
}

async function connectDirectly(
  addresses: readonly string[],
  port: number,
  tls: TlsSettings | null,
  signal: AbortSignal,
): Promise<ConnectedChannel & Pick<Connected, 'address' | 'connectMs'>> {
  const { socket, address, connectMs } = await connectToAny(addresses, port, signal)
  const connected =
    tls === null ? { channel: socket, link: socket.data } : await upgradeToTls(socket, tls, signal)
  return { ...connected, address, connectMs }
}

function keyOf({ isSecure, serverName, port }: Origin): string {
  return `${isSecure ? 'https' : 'http'}://${serverName}:${port}`
}

function preferring(preferred: string | null, addresses: readonly string[]): readonly string[] {
  if (preferred === null || !addresses.includes(preferred)) return addresses
  return [preferred, ...addresses.filter((address) => address !== preferred)]
}

/** What is known of an origin that was forgotten meanwhile is learned anew, with the same care as at first. */
const MAX_ORIGINS = 4096
