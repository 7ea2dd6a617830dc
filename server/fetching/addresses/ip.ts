/** An IPv4 or IPv6 address as a number of 32 or 128 bits. */
export interface IpAddress {
  readonly family: 4 | 6
  readonly value: bigint
}

/** All addresses whose first `prefixBits` are those of `first`. */
export interface Network {
  readonly first: IpAddress
  readonly prefixBits: number
}

/**
 * Reads an address in the text forms of RFC 4291 section 2.2 and in IPv4's four decimal numbers, or returns null.
 * Numbers with leading zeros are refused, since programs disagree on whether they are octal. A zone (`%eth0`, RFC
 * 4007 section 11) names the interface, not the destination, and is ignored.
 */
export function parseAddress(text: string): IpAddress | null {
  if (!text.includes(':')) return parseIpv4(text)
  const [withoutZone = ''] = text.split('%', 1)
  return parseIpv6(withoutZone)
}

/**
 * Reads CIDR notation (`10.0.0.0/8`, `fd00::/8`), or returns null. A plain address is a network of its own. Bits after the
 * prefix are ignored: `10.1.2.3/8` is `10.0.0.0/8`.
 */
export function parseNetwork(cidr: string): Network | null {
  const [text = '', prefix, ...rest] = cidr.trim().split('/')
  const first = parseAddress(text)
  if (first === null || rest.length > 0 || text.includes('%')) return null
  if (prefix === undefined) return { first, prefixBits: bitsOf(first) }
  const prefixBits = Number(prefix)
  return /^\d{1,3}$/.test(prefix) && prefixBits <= bitsOf(first) ? { first, prefixBits } : null
}

/**
 * The IPv4 address of an IPv4-mapped one (`::ffff:1.2.3.4`), which a socket for both families gives for an IPv4 client. Any
 * other address unchanged.
 */
export function unmapped(address: IpAddress): IpAddress {
  if (address.family !== 6 || address.value >> 32n !== 0xffffn) return address
  return { family: 4, value: address.value & 0xffffffffn }
}

/** Like `parseNetwork`, for constants and validated settings: throws if the text is not a network. */
export function networkOf(cidr: string): Network {
  const network = parseNetwork(cidr)
  if (network === null) throw new Error(`"${cidr}" is not a network`)
  return network
}

export function contains(network: Network, address: IpAddress): boolean {
  if (network.first.family !== address.family) return false
  const others = BigInt(bitsOf(address) - network.prefixBits)
  return network.first.value >> others === address.value >> others
}

/** Whether the address reaches this machine alone (RFC 1122, section 3.2.1.3, and RFC 4291, section 2.5.3). */
export function isLoopback(address: IpAddress): boolean {
  return LOOPBACK_NETWORKS.some((network) => contains(network, address))
}

const LOOPBACK_NETWORKS = ['127.0.0.0/8', '::1/128'].map(networkOf)

function bitsOf(address: IpAddress): number {
  return address.family === 4 ? 32 : 128
}

function parseIpv4(text: string): IpAddress | null {
  const numbers = text.split('.', 5)
  if (numbers.length !== 4 || !numbers.every(isByte)) return null
  return { family: 4, value: numbers.reduce((value, number) => (value << 8n) | BigInt(number), 0n) }
}

function isByte(text: string): boolean {
  return /^(0|[1-9]\d{0,2})$/.test(text) && Number(text) <= 255
}

function parseIpv6(text: string): IpAddress | null {
  const hexadecimal = text.includes('.') ? withoutDottedEnd(text) : text
  if (hexadecimal === null) return null
  const [head = '', tail, ...rest] = hexadecimal.split('::', 3)
  const before = groupsOf(head)
  const after = groupsOf(tail ?? '')
  const missing = 8 - before.length - after.length
  if (rest.length > 0 || (tail === undefined ? missing !== 0 : missing < 1)) return null
  const groups = [...before, ...Array<string>(missing).fill('0'), ...after]
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null
  return { family: 6, value: groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n) }
}

function groupsOf(part: string): string[] {
  return part === '' ? [] : part.split(':', 9)
}

/** The last 32 bits may be written as an IPv4 address: `::ffff:10.0.0.1`. */
function withoutDottedEnd(text: string): string | null {
  const start = text.lastIndexOf(':') + 1
  const end = parseIpv4(text.slice(start))
  if (end === null) return null
  return `${text.slice(0, start)}${(end.value >> 16n).toString(16)}:${(end.value & 0xffffn).toString(16)}`
}
