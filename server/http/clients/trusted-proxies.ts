import { contains, type IpAddress, networkOf, parseAddress, unmapped } from '../../fetching/addresses/ip.ts'
import { isHost } from '../request-target.ts'

/** Determines which client sent a request. `peerAddress` is the address at the other end of its connection. */
export interface TrustedProxies {
  /** The key under which what the client does is counted. */
  clientKeyOf(request: Request, peerAddress: string): string
  /** Whether the address belongs to a trusted proxy. */
  isTrusted(address: IpAddress): boolean
  /** The origin of this service as the client wrote it; `target` is the URL of the request. */
  requestedOrigin(request: Request, peerAddress: string, target: URL): string
}

/**
 * Reads `X-Forwarded-For`, `-Proto` and `-Host` from the proxies in these networks (`--trust-proxy`, CIDR notation) and
 * ignores them from all others, since any client can send them.
 */
export function openTrustedProxies(cidrs: readonly string[]): TrustedProxies {
  const trusted = cidrs.map(networkOf)

  function isTrusted(address: IpAddress): boolean {
    return trusted.some((network) => contains(network, address))
  }

  /** Each proxy appends the address of its own client. The last address that is not a trusted proxy is the client. */
  function clientOf(request: Request, peerAddress: string): IpAddress | null {
    let client = plainAddress(peerAddress)
    const forwarded = elementsOf(request.headers.get('x-forwarded-for'))
    while (client !== null && isTrusted(client)) {
      const previous = parseForwarded(forwarded.pop() ?? '')
      if (previous === null) break
      client = previous
    }
    return client
  }

  return {
    isTrusted,
    clientKeyOf(request, peerAddress) {
      const client = clientOf(request, peerAddress)
      return client === null ? peerAddress : clientKey(client)
    },
    requestedOrigin(request, peerAddress, target) {
      const peer = plainAddress(peerAddress)
      if (peer === null || !isTrusted(peer)) return target.origin
      const protocol = lastOf(request.headers.get('x-forwarded-proto')) ?? target.protocol.slice(0, -1)
      const host = lastOf(request.headers.get('x-forwarded-host')) ?? target.host
      const forwarded = /^https?$/.test(protocol) && isHost(host) ? URL.parse(`${protocol}://${host}`) : null
      return forwarded?.origin ?? target.origin
    },
  }
}

/**
 * Equal for all addresses of one client: its IPv4 address, or the first 64 bits of its IPv6 address, which is the least that a
 * provider assigns to a customer (RFC 6177).
 */
export function clientKey(client: IpAddress): string {
  return client.family === 4 ? `4 ${client.value}` : `6 ${client.value >> 64n}`
}

/** An address as proxies write it: plain, with a port (`192.0.2.1:49152`, `[2001:db8::1]:49152`), or in quotes. */
function parseForwarded(text: string): IpAddress | null {
  const unquoted = text.replace(/^"(.*)"$/, '$1')
  const [, bracketed, plain] = /^(?:\[(.+)\](?::\d+)?|([\d.]+):\d+)$/.exec(unquoted) ?? []
  return plainAddress(bracketed ?? plain ?? unquoted)
}

function plainAddress(text: string): IpAddress | null {
  const address = parseAddress(text)
  return address === null ? null : unmapped(address)
}

function lastOf(list: string | null): string | undefined {
  return elementsOf(list).at(-1)?.toLowerCase()
}

/** Empty elements of a list do not count (RFC 9110, section 5.6.1.2). */
function elementsOf(list: string | null): string[] {
  const elements = list?.split(',').map((element) => element.trim()) ?? []
  return elements.filter((element) => element !== '')
}
