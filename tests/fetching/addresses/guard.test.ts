import { describe, expect, test } from 'bun:test'
import { createAddressGuard, type NetworkPolicy } from '../../../server/fetching/addresses/guard.ts'
import { networkOf } from '../../../server/fetching/addresses/ip.ts'
import { localAddresses } from '../../../server/fetching/addresses/local-addresses.ts'
import { reachableNetworks, refusedNetworks } from '../../../server/fetching/addresses/table.ts'

function verdict(address: string, allowedNetworks: readonly string[] = [], port = 80): string {
  return guardOf({ allowedNetworks, ownPort: null }).check(address, port)
}

function guardOf(policy: NetworkPolicy, local: readonly string[] = []) {
  return createAddressGuard(policy, () => local)
}

describe('addresses outside the public internet are refused', () => {
  test.each([
    ['this network', '0.0.0.0', '0.255.255.255'],
    ['private use', '10.0.0.0', '10.255.255.255'],
    ['shared address space', '100.64.0.0', '100.127.255.255'],
    ['loopback', '127.0.0.1', '127.255.255.254'],
    ['link local, with the metadata service of clouds', '169.254.169.254', '169.254.0.1'],
    ['private use', '172.16.0.0', '172.31.255.255'],
    ['protocol assignments', '192.0.0.1', '192.0.0.171'],
    ['documentation', '192.0.2.1', '198.51.100.1'],
    ['documentation', '203.0.113.1', '2001:db8::1'],
    ['deprecated 6to4 relays', '192.88.99.1', '192.88.99.2'],
    ['private use', '192.168.0.1', '192.168.255.255'],
    ['benchmarking', '198.18.0.1', '198.19.255.255'],
    ['multicast', '224.0.0.1', '239.255.255.255'],
    ['reserved and broadcast', '240.0.0.1', '255.255.255.255'],
    ['unspecified and loopback', '::', '::1'],
    ['local translation', '64:ff9b:1::1', '64:ff9b:1:ffff::808:808'],
    ['discard only and dummy', '100::1', '100:0:0:1::1'],
    ['protocol assignments', '2001:1::', '2001:1ff:ffff::'],
    ['benchmarking and ORCHID', '2001:2::1', '2001:10::1'],
    ['documentation', '3fff::1', '3fff:fff:ffff::'],
    ['segment routing', '5f00::1', '5f00:ffff::'],
    ['unique local', 'fc00::1', 'fdff:ffff::'],
    ['link local', 'fe80::1', 'febf:ffff::'],
    ['link local with its interface', 'fe80::1%eth0', 'fe80::1%1'],
    ['site local', 'fec0::1', 'feff:ffff::'],
    ['multicast', 'ff00::1', 'ff0e::1'],
    ['unallocated', '4000::1', 'f000::1'],
    ['IPv4-translated, which is obsolete', '::ffff:0:a00:1', '::ffff:0:808:808'],
  ])('%s: %s, %s', (_, first, second) => {
    expect([first, second].map((address) => verdict(address))).toEqual(['refused', 'refused'])
  })

  test.each([
    ['next to private networks', '9.255.255.255', '11.0.0.0'],
    ['next to shared address space', '100.63.255.255', '100.128.0.0'],
    ['next to private networks', '172.15.255.255', '172.32.0.0'],
    ['next to private networks', '192.167.255.255', '192.169.0.0'],
    ['next to loopback and multicast', '128.0.0.0', '223.255.255.255'],
    ['public', '8.8.8.8', '2606:4700:4700::1111'],
    ['globally reachable inside a refused network', '192.0.0.9', '192.0.0.10'],
    ['globally reachable inside a refused network', '2001:1::1', '2001:1::3'],
    ['globally reachable inside a refused network', '2001:3::1', '2001:20::1'],
    ['globally reachable inside a refused network', '2001:4:112::1', '2001:30::1'],
    ['special-purpose and globally reachable', '192.31.196.1', '2620:4f:8000::1'],
    ['next to documentation', '2001:200::', '3fff:1000::'],
  ])('but other addresses are allowed: %s: %s, %s', (_, first, second) => {
    expect([first, second].map((address) => verdict(address))).toEqual(['allowed', 'allowed'])
  })

  test.each([
    '',
    'localhost',
    '127.1',
    '0x7f.1',
    '010.0.0.1',
    '8.8.8.8.',
    '8.8.8.8/32',
    '[2606::1]',
    '2606::1::2',
  ])('and text that is not an address: %p', (text) => {
    expect(verdict(text)).toBe('refused')
  })

  test('according to a table that lists every network once, with its source', () => {
    const rows = [...refusedNetworks, ...reachableNetworks]
    expect(new Set(rows.map(({ cidr }) => cidr)).size).toBe(rows.length)
    for (const { cidr, name, source } of rows) {
      expect(() => networkOf(cidr)).not.toThrow()
      expect(name).not.toBe('')
      expect(source).toMatch(/^RFC \d+/)
    }
  })
})

/** The IPv6 forms that embed an IPv4 address. */
const forms: readonly [string, (ipv4: string) => string][] = [
  ['mapped', (ipv4) => `::ffff:${ipv4}`],
  ['compatible', (ipv4) => `::${ipv4}`],
  ['NAT64', (ipv4) => `64:ff9b::${ipv4}`],
  ['6to4', (ipv4) => `2002:${hex(ipv4)}::1`],
  ['Teredo client', (ipv4) => `2001:0:808:808:0:0:${inverted(ipv4)}`],
  ['Teredo server', (ipv4) => `2001:0:${hex(ipv4)}:0:0:${inverted('8.8.8.8')}`],
]

describe.each(forms)('an IPv6 address that embeds an IPv4 address: %s', (_, formOf) => {
  test('is refused if the IPv4 address is refused', () => {
    for (const ipv4 of ['127.0.0.1', '10.1.2.3', '169.254.169.254', '224.0.0.1', '255.255.255.255']) {
      expect(verdict(formOf(ipv4))).toBe('refused')
    }
  })

  test('is allowed if the IPv4 address is public', () => {
    expect(verdict(formOf('93.184.216.34'))).toBe('allowed')
  })

  test('is allowed by an allowed network only if that contains the IPv4 address', () => {
    expect(verdict(formOf('10.1.2.3'), ['10.0.0.0/8'])).toBe('allowed')
    expect(verdict(formOf('11.1.2.3'), ['10.0.0.0/8'])).toBe('allowed')
    expect(verdict(formOf('127.0.0.1'), ['10.0.0.0/8'])).toBe('refused')
  })
})

describe('an allowed network', () => {
  test('is allowed, and the networks next to it are still refused', () => {
    expect(verdict('10.1.2.3', ['10.1.0.0/16'])).toBe('allowed')
    expect(verdict('10.2.0.0', ['10.1.0.0/16'])).toBe('refused')
    expect(verdict('fd12::1', ['10.1.0.0/16', 'fd12::/16'])).toBe('allowed')
    expect(verdict('::1', ['127.0.0.0/8'])).toBe('refused')
    expect(verdict('::1', ['::1/128'])).toBe('allowed')
    expect(verdict('fe80::1%eth0', ['fe80::/10'])).toBe('allowed')
  })

  test('of IPv4 also allows its addresses in the network for local NAT64, whose other addresses stay refused', () => {
    expect(verdict('64:ff9b:1::a01:203', ['10.0.0.0/8'])).toBe('allowed')
    expect(verdict('64:ff9b:1::808:808', ['10.0.0.0/8'])).toBe('refused')
    expect(verdict('64:ff9b:1:a9fe:a9:fe00:a01:203', ['10.0.0.0/8'])).toBe('refused')
  })

  test('must contain both the client and the server of a Teredo address', () => {
    const address = `2001:0:${hex('10.0.0.1')}:0:0:${inverted('192.168.0.1')}`
    expect(verdict(address, ['10.0.0.0/8'])).toBe('refused')
    expect(verdict(address, ['10.0.0.0/8', '192.168.0.0/16'])).toBe('allowed')
  })

  test('that is invalid is an error that names it', () => {
    expect(() => guardOf({ allowedNetworks: ['10.0.0.0/99'], ownPort: null })).toThrow(
      '"10.0.0.0/99" is not a network',
    )
  })
})

describe("the service's own port", () => {
  const everything = { allowedNetworks: ['0.0.0.0/0', '::/0'], ownPort: 8420 }
  const guard = guardOf(everything, ['192.168.1.5', '2606:4700::5', 'fe80::5%eth0'])

  test.each([
    ...[
      '127.0.0.1',
      '127.1.2.3',
      '0.0.0.0',
      '::',
      '::1',
      '192.168.1.5',
      '2606:4700::5',
      'fe80::5',
      'fe80::5%eth1',
    ],
    ...[
      '::ffff:127.0.0.1',
      '::ffff:192.168.1.5',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '::ffff:0.0.0.0',
    ],
  ])('is refused on addresses of this machine, even in an allowed network: %s', (address) => {
    expect(guard.check(address, 8420)).toBe('refused')
    expect(guard.check(address, 8421)).toBe('allowed')
  })

  test('is allowed on other machines', () => {
    expect(guard.check('192.168.1.6', 8420)).toBe('allowed')
    expect(guard.check('93.184.216.34', 8420)).toBe('allowed')
  })

  test('is refused on an address that this machine has only just got', () => {
    const local: string[] = []
    const changingGuard = createAddressGuard(everything, () => local)
    expect(changingGuard.check('192.168.1.7', 8420)).toBe('allowed')
    local.push('192.168.1.7')
    expect(changingGuard.check('192.168.1.7', 8420)).toBe('refused')
  })

  test('is not restricted on the command line', () => {
    expect(guardOf({ ...everything, ownPort: null }).check('127.0.0.1', 8420)).toBe('allowed')
  })

  test("is compared with the addresses of this machine's network interfaces", () => {
    expect(localAddresses()).toContain('127.0.0.1')
  })
})

describe('a host is refused if one of its addresses is refused', () => {
  const guard = guardOf({ allowedNetworks: [], ownPort: null })

  test.each([
    [['8.8.8.8'], 'allowed'],
    [['8.8.8.8', '2606:4700::1'], 'allowed'],
    [['8.8.8.8', '10.0.0.1'], 'refused'],
    [['::1', '8.8.8.8'], 'refused'],
    [[], 'refused'],
  ] as const)('%p: %s', (addresses, expected) => {
    expect(guard.checkAll(addresses, 443)).toBe(expected)
  })
})

function hex(ipv4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number)
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
}

function inverted(ipv4: string): string {
  return hex(
    ipv4
      .split('.')
      .map((number) => 255 - Number(number))
      .join('.'),
  )
}
