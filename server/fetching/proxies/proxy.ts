import { formatHostPort } from '../../text/host-port.ts'

/** An HTTP proxy. Plain values, so that a job's thread can be sent them. */
export interface HttpProxy {
  /** Whether the connection to the proxy itself uses TLS. */
  readonly isSecure: boolean
  /** A name, or an address without brackets. */
  readonly hostname: string
  readonly port: number
  /** The value of `Proxy-Authorization` (RFC 9110 section 11.7.2); null if the proxy asks for none. Secret. */
  readonly authorization: string | null
}

/** Which proxy serves which URLs. */
export interface ProxySettings {
  /** For URLs with `http` and with `https`; null for none. */
  readonly http: HttpProxy | null
  readonly https: HttpProxy | null
  /** Hosts that are reached without a proxy, as `isExempt` reads them. */
  readonly exempt: string
}

/**
 * Reads the address of a proxy as curl does: without a scheme it is `http`, and without a port 1080, or 443 for `https`. Null if it is
 * none, or says more than that, such as a path.
 */
export function parseProxy(text: string): HttpProxy | null {
  const [, scheme = 'http', userInfo, hostText, portText] = PARTS.exec(text.trim()) ?? []
  if (hostText === undefined) return null
  const isSecure = scheme.toLowerCase() === 'https'
  const port = portText === undefined ? (isSecure ? 443 : 1080) : Number(portText)
  const url = URL.parse(`http://${hostText}`)
  if (url === null || url.pathname !== '/' || port < 1 || port > 65_535) return null
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  return { isSecure, hostname, port, authorization: userInfo === undefined ? null : basic(userInfo) }
}

/** The address of a proxy without its password. */
export function proxyAddress({ isSecure, hostname, port }: HttpProxy): string {
  return `${isSecure ? 'https' : 'http'}://${formatHostPort(hostname, port)}`
}

/** How messages and the log call a proxy. */
export function proxyName(proxy: HttpProxy): string {
  return `proxy ${proxyAddress(proxy)}`
}

/** RFC 7617. */
function basic(userInfo: string): string {
  const [user = '', ...password] = userInfo.split(':')
  const pair = `${decoded(user)}:${decoded(password.join(':'))}`
  return `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A password may contain a `/` or an `@` that is not encoded: the last `@` ends it. */
const PARTS = /^(?:(https?):\/\/)?(?:(.*)@)?([^:@/?#\s[\]]+|\[[\da-f:.]+\])(?::(\d{1,5}))?\/?$/i
