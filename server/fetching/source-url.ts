/**
 * An `http` or `https` URL, taken apart once: each property of a `URL` makes a new string whenever it is read, and a fetch
 * reads them again and again.
 */
export interface SourceUrl {
  readonly href: string
  readonly scheme: 'http' | 'https'
  /** Percent-encoded; empty if there is none. */
  readonly username: string
  readonly password: string
  /** As in `URL.hostname`: an IPv6 address in brackets. */
  readonly hostname: string
  readonly port: number
  /** For the `Host` header: with the port, unless it is that of the scheme. */
  readonly host: string
  /** `name:port`, by which connections are counted. */
  readonly hostKey: string
  /** Without the query. */
  readonly pathname: string
  /** With the query. */
  readonly path: string
}

/** @throws RangeError unless the text is an http or https URL, as all URLs of jobs and webhooks are */
export function parseSourceUrl(text: string): SourceUrl {
  const url = URL.parse(text)
  const parts = url === null ? null : splitUrl(url)
  if (parts === null) throw new RangeError('not an http or https URL')
  return parts
}

/** Takes a URL apart. Null for any other scheme. */
export function splitUrl({ href }: URL): SourceUrl | null {
  const parts = PARTS.exec(href)
  if (parts === null) return null
  const [, scheme, username = '', password = '', hostname = '', explicitPort, pathname = '/', query] = parts
  const isSecure = scheme === 'https'
  const port = explicitPort === undefined ? (isSecure ? 443 : 80) : Number(explicitPort)
  return {
    href,
    scheme: isSecure ? 'https' : 'http',
    username,
    password,
    hostname,
    port,
    host: explicitPort === undefined ? hostname : `${hostname}:${explicitPort}`,
    hostKey: `${hostname}:${port}`,
    pathname,
    path: query === undefined ? pathname : pathname + query,
  }
}

/** Whether the host is an address. A URL parser accepts no other host of digits and dots alone. */
export function isAddress({ hostname }: SourceUrl): boolean {
  return hostname.startsWith('[') || IPV4.test(hostname)
}

/** A parsed URL has percent-encoded everything else that could end one of these parts (URL Standard, section 4.5). */
const PARTS =
  /^(https?):\/\/(?:([^:@/?#]*)(?::([^@/?#]*))?@)?(\[[^\]]*\]|[^:/?#]*)(?::(\d+))?(\/[^?#]*)(\?[^#]*)?/

const IPV4 = /^[\d.]+$/
