import { contains, type IpAddress, parseAddress, parseNetwork } from '../fetching/ip-address.ts'

/** What a request says of where it comes from; `peerAddress` is the other end of its connection. */
export interface Peers {
  /**
   * Whom wrong keys and tokens are counted against: an IPv4 address, or the first 64 bits of an IPv6 one, which are
   * the least that a single customer gets (RFC 6177).
   */
  sourceOf(request: Request, peerAddress: string): string
  /** Whether the client is on this machine. What a proxy forwarded that is not trusted may come from anywhere. */
  isLocal(request: Request, peerAddress: string): boolean
  /** The origin that the client asked for, as it would write it; `target` is the URL that the request came for. */
  originOf(request: Request, peerAddress: string, target: URL): string
}

/**
 * Believes `X-Forwarded-For`, `-Proto` and `-Host` from trusted proxies (`--trust-proxy`, CIDR notation) and from
 * nobody else: anyone can write them.
 */
export function openPeers(trustedProxies: readonly string[]): Peers {
  const trusted = trustedProxies.map(parseNetwork)

  function isTrusted(address: IpAddress): boolean {
    return trusted.some((network) => contains(network, address))
  }

  /** Each proxy appends whom it heard from, so that the last one who is no proxy of ours is the client. */
  function clientOf(request: Request, peerAddress: string): IpAddress | null {
    let client = plainAddress(peerAddress)
    const heard = elementsOf(request.headers.get('x-forwarded-for'))
    while (client !== null && isTrusted(client)) {
      const before = forwardedAddress(heard.pop() ?? '')
      if (before === null) break
      client = before
    }
    return client
  }

  return {
    sourceOf(request, peerAddress) {
      const client = clientOf(request, peerAddress)
      if (client === null) return peerAddress
      return client.family === 4 ? `4 ${client.value}` : `6 ${client.value >> 64n}`
    },
    isLocal(request, peerAddress) {
      const peer = plainAddress(peerAddress)
      const isForwarded = FORWARDING.some((name) => request.headers.has(name))
      if (peer === null || (isForwarded && !isTrusted(peer))) return false
      const client = clientOf(request, peerAddress)
      return client !== null && LOOPBACK.some((network) => contains(network, client))
    },
    originOf(request, peerAddress, target) {
      const peer = plainAddress(peerAddress)
      if (peer === null || !isTrusted(peer)) return target.origin
      const protocol = lastOf(request.headers.get('x-forwarded-proto')) ?? target.protocol.slice(0, -1)
      const host = lastOf(request.headers.get('x-forwarded-host')) ?? target.host
      const forwarded = /^https?$/.test(protocol) ? URL.parse(`${protocol}://${host}`) : null
      return forwarded?.origin ?? target.origin
    },
  }
}

/** RFC 1122, section 3.2.1.3, and RFC 4291, section 2.5.3. */
const LOOPBACK = ['127.0.0.0/8', '::1/128'].map(parseNetwork)

/** What proxies add to a request, each its own. */
const FORWARDING = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
]

/** As proxies write it: an address, with its port too (`192.0.2.1:49152`, `[2001:db8::1]:49152`), or in quotes. */
function forwardedAddress(text: string): IpAddress | null {
  const unquoted = text.replace(/^"(.*)"$/, '$1')
  const [, bracketed, plain] = /^(?:\[(.+)\](?::\d+)?|([\d.]+):\d+)$/.exec(unquoted) ?? []
  return plainAddress(bracketed ?? plain ?? unquoted)
}

/** An IPv4 address that a socket for both families has mapped (`::ffff:1.2.3.4`) is itself again. */
function plainAddress(text: string): IpAddress | null {
  const address = parseAddress(text)
  if (address?.family !== 6 || address.value >> 32n !== 0xffffn) return address
  return { family: 4, value: address.value & 0xffffffffn }
}

function lastOf(list: string | null): string | undefined {
  return elementsOf(list).at(-1)?.toLowerCase()
}

/** Empty elements of a list do not count (RFC 9110, section 5.6.1.2). */
function elementsOf(list: string | null): string[] {
  const elements = list?.split(',').map((element) => element.trim()) ?? []
  return elements.filter((element) => element !== '')
}
