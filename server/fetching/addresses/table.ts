import { contains, type IpAddress, networkOf } from './ip.ts'

/**
 * Whether an address is outside the public internet, according to the table below. If networks are nested, the most specific
 * one decides, as in the registries. The address guard checks IPv4 addresses that are embedded in IPv6 addresses.
 */
export function isInRefusedNetwork(address: IpAddress): boolean {
  return mostSpecificFirst.find(({ network }) => contains(network, address))?.isRefused ?? false
}

interface SpecialNetwork {
  readonly cidr: string
  readonly name: string
  readonly source: string
}

/**
 * Sources: IANA's IPv4 and IPv6 Special-Purpose Address Registries as of 2025-10-09, every network that is not
 * marked as globally reachable there; for multicast, the IPv4 Multicast Address Space Registry; for the rest, the
 * IPv6 Address Space Registry, in which all assigned unicast addresses are in 2000::/3.
 *
 * Not listed, because these networks only embed IPv4 addresses: IPv4-mapped ::ffff:0:0/96, Teredo 2001::/32, 6to4 2002::/16.
 */
export const refusedNetworks: readonly SpecialNetwork[] = [
  { cidr: '0.0.0.0/8', name: 'This network', source: 'RFC 791 section 3.2' },
  { cidr: '10.0.0.0/8', name: 'Private-Use', source: 'RFC 1918' },
  { cidr: '100.64.0.0/10', name: 'Shared Address Space', source: 'RFC 6598' },
  { cidr: '127.0.0.0/8', name: 'Loopback', source: 'RFC 1122 section 3.2.1.3' },
  { cidr: '169.254.0.0/16', name: 'Link Local', source: 'RFC 3927' },
  { cidr: '172.16.0.0/12', name: 'Private-Use', source: 'RFC 1918' },
  { cidr: '192.0.0.0/24', name: 'IETF Protocol Assignments', source: 'RFC 6890 section 2.1' },
  { cidr: '192.0.0.0/29', name: 'IPv4 Service Continuity Prefix', source: 'RFC 7335' },
  { cidr: '192.0.0.8/32', name: 'IPv4 dummy address', source: 'RFC 7600' },
  { cidr: '192.0.0.170/32', name: 'NAT64/DNS64 Discovery', source: 'RFC 8880, RFC 7050 section 2.2' },
  { cidr: '192.0.0.171/32', name: 'NAT64/DNS64 Discovery', source: 'RFC 8880, RFC 7050 section 2.2' },
  { cidr: '192.0.2.0/24', name: 'Documentation (TEST-NET-1)', source: 'RFC 5737' },
  { cidr: '192.88.99.0/24', name: 'Deprecated (6to4 Relay Anycast)', source: 'RFC 7526' },
  { cidr: '192.168.0.0/16', name: 'Private-Use', source: 'RFC 1918' },
  { cidr: '198.18.0.0/15', name: 'Benchmarking', source: 'RFC 2544' },
  { cidr: '198.51.100.0/24', name: 'Documentation (TEST-NET-2)', source: 'RFC 5737' },
  { cidr: '203.0.113.0/24', name: 'Documentation (TEST-NET-3)', source: 'RFC 5737' },
  { cidr: '224.0.0.0/4', name: 'Multicast', source: 'RFC 5771' },
  { cidr: '240.0.0.0/4', name: 'Reserved', source: 'RFC 1112 section 4' },
  { cidr: '255.255.255.255/32', name: 'Limited Broadcast', source: 'RFC 8190, RFC 919 section 7' },
  { cidr: '::/0', name: 'Outside Global Unicast', source: 'RFC 4291 section 2.4' },
  { cidr: '::/128', name: 'Unspecified Address', source: 'RFC 4291 section 2.5.2' },
  { cidr: '::1/128', name: 'Loopback Address', source: 'RFC 4291 section 2.5.3' },
  { cidr: '64:ff9b:1::/48', name: 'IPv4-IPv6 Translation, local use', source: 'RFC 8215' },
  { cidr: '100::/64', name: 'Discard-Only Address Block', source: 'RFC 6666' },
  { cidr: '100:0:0:1::/64', name: 'Dummy IPv6 Prefix', source: 'RFC 9780' },
  { cidr: '2001::/23', name: 'IETF Protocol Assignments', source: 'RFC 2928' },
  { cidr: '2001:2::/48', name: 'Benchmarking', source: 'RFC 5180, RFC Errata 1752' },
  { cidr: '2001:10::/28', name: 'Deprecated (previously ORCHID)', source: 'RFC 4843' },
  { cidr: '2001:db8::/32', name: 'Documentation', source: 'RFC 3849' },
  { cidr: '3fff::/20', name: 'Documentation', source: 'RFC 9637' },
  { cidr: '5f00::/16', name: 'Segment Routing (SRv6) SIDs', source: 'RFC 9602' },
  { cidr: 'fc00::/7', name: 'Unique-Local', source: 'RFC 4193, RFC 8190' },
  { cidr: 'fe80::/10', name: 'Link-Local Unicast', source: 'RFC 4291 section 2.5.6' },
  { cidr: 'fec0::/10', name: 'Site-Local Unicast, deprecated', source: 'RFC 3879' },
  { cidr: 'ff00::/8', name: 'Multicast', source: 'RFC 4291 section 2.7' },
]

/** Exceptions: networks inside refused ones that are globally reachable, or that only embed an IPv4 address. */
export const reachableNetworks: readonly SpecialNetwork[] = [
  { cidr: '192.0.0.9/32', name: 'Port Control Protocol Anycast', source: 'RFC 7723' },
  { cidr: '192.0.0.10/32', name: 'Traversal Using Relays around NAT Anycast', source: 'RFC 8155' },
  { cidr: '2000::/3', name: 'Global Unicast', source: 'RFC 4291 section 2.4' },
  { cidr: '::/96', name: 'IPv4-compatible Address', source: 'RFC 4291 section 2.5.5.1' },
  { cidr: '::ffff:0:0/96', name: 'IPv4-mapped Address', source: 'RFC 4291 section 2.5.5.2' },
  { cidr: '64:ff9b::/96', name: 'IPv4-IPv6 Translation', source: 'RFC 6052' },
  { cidr: '2001::/32', name: 'Teredo', source: 'RFC 4380, RFC 8190' },
  { cidr: '2001:1::1/128', name: 'Port Control Protocol Anycast', source: 'RFC 7723' },
  { cidr: '2001:1::2/128', name: 'Traversal Using Relays around NAT Anycast', source: 'RFC 8155' },
  { cidr: '2001:1::3/128', name: 'DNS-SD Service Registration Protocol Anycast', source: 'RFC 9665' },
  { cidr: '2001:3::/32', name: 'AMT', source: 'RFC 7450' },
  { cidr: '2001:4:112::/48', name: 'AS112-v6', source: 'RFC 7535' },
  { cidr: '2001:20::/28', name: 'ORCHIDv2', source: 'RFC 7343' },
  { cidr: '2001:30::/28', name: 'Drone Remote ID Protocol Entity Tags', source: 'RFC 9374' },
]

const mostSpecificFirst = [
  ...refusedNetworks.map(({ cidr }) => ({ network: networkOf(cidr), isRefused: true })),
  ...reachableNetworks.map(({ cidr }) => ({ network: networkOf(cidr), isRefused: false })),
].sort((a, b) => b.network.prefixBits - a.network.prefixBits)
