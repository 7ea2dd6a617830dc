import type { ChannelListener, ConnectedChannel } from './channel.ts'
import { type Http1Failure, ProxyFailure } from './failure.ts'
import { beginsLikeHead, endOfHead, parseHead } from './head.ts'
import { formatHead } from './request-head.ts'

/** Who is asked for a tunnel, and to where. */
export interface TunnelRequest {
  /** `HOST:PORT`, an IPv6 host in brackets. */
  readonly authority: string
  /** The value of `Proxy-Authorization`, if the proxy asks for it. */
  readonly authorization: string | null
  readonly userAgent: string | null
}

/**
 * Asks a proxy to connect to a host (RFC 9110 section 9.3.6). Resolves when everything that is sent from now on goes to that host.
 * @throws ProxyFailure, or the reason of the signal; then the channel is closed
 */
export async function openTunnel(
  { channel, link }: ConnectedChannel,
  { authority, authorization, userAgent }: TunnelRequest,
  signal: AbortSignal,
): Promise<void> {
  const headers: [string, string][] = [['Host', authority]]
  if (userAgent !== null) headers.push(['User-Agent', userAgent])
  if (authorization !== null) headers.push(['Proxy-Authorization', authorization])
  const response = new TunnelResponse()
  const onAbort = () => response.fail(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  link.listener = response
  try {
    signal.throwIfAborted()
    // A request of a few hundred bytes always fits into the buffer of a new connection.
    channel.write(formatHead(`CONNECT ${authority}`, headers))
    await response.opened
  } catch (error) {
    channel.terminate()
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** The answer of the proxy, which has no body if it opens the tunnel. */
class TunnelResponse implements ChannelListener {
  readonly #opened = Promise.withResolvers<void>()
  readonly opened = this.#opened.promise
  #received = Buffer.alloc(0)

  onData(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes])
    const end = endOfHead(this.#received, 0)
    if (!beginsLikeHead(this.#received) || this.#received.length > MAX_HEAD_BYTES) this.fail(NO_HTTP)
    else if (end >= 0) this.#take(end)
  }

  fail(failure: unknown): void {
    this.#opened.reject(failure)
  }

  onDrain(): void {}

  onEnd(): void {
    this.fail(CLOSED)
  }

  onClose(_failure: Http1Failure): void {
    this.fail(CLOSED)
  }

  onIdleTimeout(): void {}

  #take(headBytes: number): void {
    const status = statusOf(this.#received.toString('latin1', 0, headBytes))
    const rest = this.#received.subarray(headBytes)
    if (status === null) this.fail(NO_HTTP)
    else if (status >= 300) this.fail(refusal(status))
    // The host speaks only when it is spoken to, so that further bytes are a page of the proxy.
    else if (status >= 200 && rest.length > 0) this.fail(noTunnel())
    else if (status >= 200) this.#opened.resolve()
    else {
      this.#received = Buffer.alloc(0)
      if (rest.length > 0) this.onData(rest)
    }
  }
}

/** A proxy asks for a password, or for another one (RFC 9110 section 15.5.8), with CONNECT or without. */
export function passwordRefusal(status = 407): ProxyFailure {
  const code = `wants a user name and password, or other ones (HTTP ${status})`
  return new ProxyFailure('proxy-refused', code, { concernsAll: true })
}

/** What came through a tunnel is not from a host with TLS. */
export function noTunnel(cause?: unknown): ProxyFailure {
  return new ProxyFailure(
    'proxy-refused',
    'opened a connection to a host, and sent something else than TLS',
    {
      concernsAll: false,
      cause,
    },
  )
}

function refusal(status: number): ProxyFailure {
  // Tinyproxy 1.11 answers 401 to a wrong password.
  if (status === 407 || status === 401) return passwordRefusal(status)
  return new ProxyFailure('proxy-refused', `did not connect to a host (HTTP ${status})`, {
    concernsAll: false,
    isTemporary: TEMPORARY.has(status),
  })
}

function statusOf(head: string): number | null {
  try {
    return parseHead(head).status
  } catch {
    return null
  }
}

const NO_HTTP = new ProxyFailure('proxy-refused', 'answered with something else than HTTP', {
  concernsAll: true,
})
const CLOSED = new ProxyFailure('proxy-failed', 'closed the connection without an answer', {
  concernsAll: true,
})
/** RFC 9110 section 15.5.9, RFC 6585 section 4, RFC 9110 section 15.6: the host may be back soon, or the proxy less busy. */
const TEMPORARY: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])
const MAX_HEAD_BYTES = 64 * 1024
