import { formatHostPort } from '../../text/host-port.ts'
import type { ConnectedChannel } from './channel.ts'
import { Http1Failure, ProxyFailure } from './failure.ts'
import { type Connected, connectToAny } from './happy-eyeballs.ts'
import type { RequestHead } from './request-head.ts'
import type { Http1Response } from './response.ts'
import { NO_TLS, type TlsSettings, upgradeToTls } from './tls.ts'
import type { makeTlsInTls } from './tls-in-tls.ts'
import { noTunnel, openTunnel, passwordRefusal } from './tunnel.ts'

/** A proxy that passes requests on (RFC 9110 section 3.7). */
export interface ProxyHop {
  /** Whether the connection to the proxy itself uses TLS. */
  readonly isSecure: boolean
  /** A name, or an address without brackets. With TLS, the certificate of the proxy must be for it. */
  readonly serverName: string
  readonly port: number
  /** The value of `Proxy-Authorization`; null if the proxy asks for none. No origin ever gets it. */
  readonly authorization: string | null
}

/** The origin behind a proxy. */
interface Destination {
  readonly serverName: string
  readonly port: number
  /** Of the proxy. */
  readonly addresses: readonly string[]
}

/**
 * Connects to a proxy and, for an origin with TLS, through it to the origin.
 * @param tlsOfProxy how to make TLS to the proxy; null without TLS
 * @param tls the same for the origin. Without TLS, the connection leads to the proxy
 * @throws ProxyFailure; Http1Failure for a fault of the origin; or the reason of the signal
 */
export async function connectThrough(
  proxy: ProxyHop,
  { serverName, port, addresses }: Destination,
  userAgent: string | null,
  tlsOfProxy: TlsSettings | null,
  tls: TlsSettings | null,
  signal: AbortSignal,
): Promise<ConnectedChannel & Pick<Connected, 'address' | 'connectMs'>> {
  const { socket, address, connectMs } = await connectToAny(addresses, proxy.port, signal).catch(
    rethrowAs(unreachable),
  )
  const toProxy =
    tlsOfProxy === null
      ? { channel: socket, link: socket.data }
      : await upgradeToTls(socket, tlsOfProxy, signal).catch(rethrowAs(notSecured))
  if (tls === null) return { ...toProxy, address, connectMs }
  const { authorization } = proxy
  const tunnel = { authority: formatHostPort(serverName, port), authorization, userAgent }
  await openTunnel(toProxy, tunnel, signal)
  const toOrigin = tlsOfProxy === null ? upgradeToTls(socket, tls, signal) : tlsInTls(toProxy, tls, signal)
  return { ...(await toOrigin.catch(rethrowAs(inTunnel))), address, connectMs }
}

/** Imported when a proxy needs it: `node:tls` takes each thread 4 MB and some milliseconds. */
async function tlsInTls(...args: Parameters<typeof makeTlsInTls>): Promise<ConnectedChannel> {
  const { makeTlsInTls } = await import('./tls-in-tls.ts')
  return await makeTlsInTls(...args)
}

/**
 * Sends a request for an origin without TLS, with the whole URL as its target (RFC 9112 section 3.2.2).
 * @param send sends it over a connection to the proxy
 * @throws ProxyFailure, Http1Failure, or the reason of a signal
 */
export async function requestThrough(
  { authorization }: ProxyHop,
  { method, target, headers }: RequestHead,
  send: (head: RequestHead) => Promise<Http1Response>,
): Promise<Http1Response> {
  const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? ''
  const own = authorization === null ? [] : [['Proxy-Authorization', authorization] as const]
  const head = { method, target: `http://${host}${target}`, headers: [...headers, ...own] }
  const response = await send(head).catch(rethrowAs(unanswered))
  if (response.status !== 407) return response
  response[Symbol.dispose]()
  throw passwordRefusal()
}

/** Rethrows a failure of a connection as that of the proxy, and anything else as it is. */
function rethrowAs(asProxyFailure: (failure: Http1Failure) => Http1Failure): (error: unknown) => never {
  return (error) => {
    const isOfConnection = error instanceof Http1Failure && !(error instanceof ProxyFailure)
    // Without descriptors, this process is at fault.
    throw isOfConnection && !/^E[MN]FILE$/.test(error.code) ? asProxyFailure(error) : error
  }
}

function unreachable(cause: Http1Failure): ProxyFailure {
  return new ProxyFailure('proxy-failed', `cannot be reached${inBrackets(cause)}`, {
    concernsAll: true,
    cause,
  })
}

function notSecured(cause: Http1Failure): ProxyFailure {
  const code = `cannot be reached with TLS${inBrackets(cause)}`
  return new ProxyFailure('proxy-failed', code, { concernsAll: true, cause })
}

/** The host does not speak before it is spoken to: if anything but TLS arrives, it is most likely a page of the proxy. */
function inTunnel(cause: Http1Failure): Http1Failure {
  if (cause.code === NO_TLS) return noTunnel(cause)
  if (cause.reason === 'tls') return cause
  return new ProxyFailure('proxy-failed', 'closed the connection to a host', { concernsAll: false, cause })
}

/** Without a response, nothing tells whether it was the proxy or the origin that failed. */
function unanswered(cause: Http1Failure): Http1Failure {
  if (cause.reason === 'malformed' && cause.code === 'status line') {
    const code = 'answered with something else than HTTP'
    return new ProxyFailure('proxy-refused', code, { concernsAll: false, cause })
  }
  if (cause.reason !== 'closed-early' && cause.reason !== 'reset') return cause
  const code = 'closed the connection without an answer'
  return new ProxyFailure('proxy-failed', code, { concernsAll: false, cause })
}

function inBrackets({ code }: Http1Failure): string {
  return code === '' ? '' : ` (${code})`
}
