import { describe, expect, test } from 'bun:test'
import { isIP } from 'node:net'
import fc from 'fast-check'
import {
  contains,
  isLoopback,
  networkOf,
  parseAddress,
  parseNetwork,
} from '../../../server/fetching/addresses/ip.ts'

describe('An address is parsed', () => {
  test.each([
    ['0.0.0.0', 4, 0n],
    ['1.2.3.4', 4, 0x0102_0304n],
    ['255.255.255.255', 4, 0xffff_ffffn],
    ['::', 6, 0n],
    ['::1', 6, 1n],
    ['1::', 6, 1n << 112n],
    ['2001:db8::A', 6, 0x20010db8_00000000_00000000_0000000an],
    ['1:2:3:4:5:6:7:8', 6, 0x00010002_00030004_00050006_00070008n],
    ['1:2:3:4:5:6:7::', 6, 0x00010002_00030004_00050006_00070000n],
    ['::ffff:1.2.3.4', 6, 0xffff_0102_0304n],
    ['1:2:3:4:5:6:1.2.3.4', 6, 0x00010002_00030004_00050006_01020304n],
    ['fe80::1%eth0', 6, 0xfe800000_00000000_00000000_00000001n],
  ] as const)('%s', (text, family, value) => {
    expect(parseAddress(text)).toEqual({ family, value })
  })

  test.each([
    ...[
      '',
      '1.2.3',
      '1.2.3.4.5',
      '1.2.3.256',
      '1.2.3.04',
      '1.2.3.-4',
      '1.2.3.0x4',
      ' 1.2.3.4',
      '1.2.3.4 ',
      '127.1',
    ],
    ...[
      '1.2.3.4%eth0',
      ':',
      ':::',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '1:2:3:4:5:6:7:8::',
      '1::2::3',
      '12345::',
    ],
    ...[
      'g::',
      ':1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:',
      '::1.2.3',
      '1.2.3.4::',
      '::1.2.3.4:5',
      '[::1]',
      'localhost',
    ],
    ...['1:2:3:4:5:6:7:1.2.3.4', '::ffff:01.2.3.4', '١.٢.٣.٤', '%', ':%:'],
  ])('but not invalid text: %p', (text) => {
    expect(parseAddress(text)).toBeNull()
  })

  test('if and only if node:net considers it an address', () => {
    const group = fc.oneof(
      fc.constant(''),
      fc.nat(0xffff).map((number) => number.toString(16)),
    )
    const ipv6 = fc.array(group, { minLength: 1, maxLength: 9 }).map((groups) => groups.join(':'))
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.ipV4Extended(), ipv6), (text) => {
        expect(parseAddress(text)?.family ?? 0).toBe(isIP(text))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('a network is parsed from CIDR notation', () => {
  test.each([
    ['10.0.0.0/8', '10.255.0.1', '11.0.0.0'],
    ['10.1.2.3/8', '10.0.0.0', '9.255.255.255'],
    ['192.168.1.128/25', '192.168.1.255', '192.168.1.127'],
    ['127.0.0.1', '127.0.0.1', '127.0.0.2'],
    ['127.0.0.1/32', '127.0.0.1', '127.0.0.0'],
    ['0.0.0.0/0', '255.255.255.255', '::'],
    ['fd00::/8', 'fdff::1', 'fc00::1'],
    ['::1', '::1', '::2'],
    ['::/0', 'ffff::', '0.0.0.0'],
    [' fd00::/8 ', 'fd00::', 'fe00::'],
  ])('%p contains %s and not %s', (cidr, inside, outside) => {
    const network = networkOf(cidr)
    expect([inside, outside].map((text) => contains(network, parseAddress(text) ?? NO_ADDRESS))).toEqual([
      true,
      false,
    ])
  })

  test.each([
    '',
    'localhost',
    '10.0.0.0/8/8',
    '10.0.0/8',
    'fe80::%eth0/64',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/255.0.0.0',
    'fd00::/129',
  ])('%p is not a network', (cidr) => {
    expect(parseNetwork(cidr)).toBeNull()
    expect(() => networkOf(cidr)).toThrow('is not a network')
  })
})

describe('an address reaches this machine alone', () => {
  test.each(['127.0.0.1', '127.255.255.255', '::1'])('%s', (text) => {
    expect(isLoopback(parseAddress(text) ?? NO_ADDRESS)).toBe(true)
  })

  test.each(['126.255.255.255', '128.0.0.0', '0.0.0.0', '::', '::2'])('but %s does not', (text) => {
    expect(isLoopback(parseAddress(text) ?? NO_ADDRESS)).toBe(false)
  })
})

const NO_ADDRESS = { family: 4, value: -1n } as const
