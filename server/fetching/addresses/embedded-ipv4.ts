import { contains, type IpAddress, networkOf } from './ip.ts'

/**
 * The IPv4 addresses embedded in an IPv6 address: packets to it reach them through the kernel, a translator or a tunnel.
 * Empty for any other address.
 */
export function embeddedIpv4(address: IpAddress): readonly IpAddress[] {
  const form = forms.find(({ network }) => contains(network, address))
  return form === undefined ? [] : form.inner(address.value).map((value) => ({ family: 4, value }))
}

const low32 = 0xffff_ffffn
const lastBits = (value: bigint) => [value & low32]

const forms = [
  // IPv4-mapped: RFC 4291 section 2.5.5.2.
  { network: networkOf('::ffff:0:0/96'), inner: lastBits },
  // IPv4-compatible, deprecated: RFC 4291 section 2.5.5.1.
  { network: networkOf('::/96'), inner: lastBits },
  // NAT64: RFC 6052 section 2.1.
  { network: networkOf('64:ff9b::/96'), inner: lastBits },
  // NAT64 for local use: RFC 8215. Only in this /96 of the /48 is it known where the IPv4 address stands.
  { network: networkOf('64:ff9b:1::/96'), inner: lastBits },
  // 6to4: RFC 3056 section 2.
  { network: networkOf('2002::/16'), inner: (value: bigint) => [(value >> 80n) & low32] },
  // Teredo: the server, then the client with its bits inverted: RFC 4380 section 4.
  {
    network: networkOf('2001::/32'),
    inner: (value: bigint) => [(value >> 64n) & low32, (value & low32) ^ low32],
  },
]
