import { isLoopback, parseAddress, unmapped } from '../../fetching/addresses/ip.ts'

/**
 * Whether a request comes from a program on this machine that asked for this machine. Not one that a proxy forwarded, since behind
 * a proxy here every client has a loopback address. Nor one of a web page whose owner lets its name resolve to a loopback address
 * (DNS rebinding): the browser of a person here sends it, and its `Host` is the name of the page.
 */
export function isLocalClient({ headers }: Request, peerAddress: string): boolean {
  if (FORWARDING_HEADERS.some((name) => headers.has(name))) return false
  return isLoopbackAddress(peerAddress) && isLoopbackHost(headers.get('host') ?? '')
}

/** `localhost` (RFC 6761, section 6.3) or an address, with or without a port. */
function isLoopbackHost(host: string): boolean {
  const hostname = URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '') ?? ''
  return hostname === 'localhost' || isLoopbackAddress(hostname.replace(/^\[|\]$/g, ''))
}

function isLoopbackAddress(text: string): boolean {
  const address = parseAddress(text)
  return address !== null && isLoopback(unmapped(address))
}

/** Headers that proxies add to a request. Different proxies add different ones. */
const FORWARDING_HEADERS = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
  'via',
]
