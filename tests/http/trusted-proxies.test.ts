import { describe, expect, test } from 'bun:test'
import { openTrustedProxies } from '../../server/http/clients/trusted-proxies.ts'

const requestWith = (headers: Record<string, string>) =>
  new Request('http://holdall.internal/jobs', { headers })

describe('--trust-proxy', () => {
  const proxies = openTrustedProxies(['10.0.0.0/8', 'fd00::/8'])
  const forwardedFor = (list: string) => requestWith({ 'x-forwarded-for': list })
  const clientKeyOf = (address: string) => openTrustedProxies([]).clientKeyOf(requestWith({}), address)

  test.each([
    ['one proxy', '198.51.100.7', '10.0.0.1', '198.51.100.7'],
    ['two proxies', '198.51.100.7, 10.0.0.2', '10.0.0.1', '198.51.100.7'],
    [
      'an address that the client has added itself is ignored',
      '203.0.113.9, 198.51.100.7',
      '10.0.0.1',
      '198.51.100.7',
    ],
    ['the header of an untrusted address is ignored', '203.0.113.9', '198.51.100.7', '198.51.100.7'],
    ['text that is not an address is ignored', 'unknown', '10.0.0.1', '10.0.0.1'],
    ['an address with a port', '198.51.100.7:49152', '10.0.0.1', '198.51.100.7'],
    [
      'addresses with ports through two proxies',
      '198.51.100.7:49152, 10.0.0.2:80',
      '10.0.0.1',
      '198.51.100.7',
    ],
    ['an IPv6 address with a port', '[2001:db8::7]:443', '10.0.0.1', '2001:db8::7'],
    ['an IPv6 address in brackets', '[2001:db8::7]', '10.0.0.1', '2001:db8::7'],
    ['an IPv6 address in quotes', '"[2001:db8::7]:443"', '10.0.0.1', '2001:db8::7'],
    ['an IPv4 address in quotes', '"198.51.100.7:49152"', '10.0.0.1', '198.51.100.7'],
    ['empty elements are ignored', '198.51.100.7, ,', '10.0.0.1', '198.51.100.7'],
    ['an address with two ports is ignored', '198.51.100.7:80:80', '10.0.0.1', '10.0.0.1'],
    ['a proxy with an IPv4-mapped address', '198.51.100.7', '::ffff:10.0.0.1', '198.51.100.7'],
  ])(
    'finds the address of the client: %s (X-Forwarded-For: %s from %s is %s)',
    (_what, list, peer, client) => {
      expect(proxies.clientKeyOf(forwardedFor(list), peer)).toBe(clientKeyOf(client))
    },
  )

  test('counts all addresses of an IPv6 network of 64 bits as one client', () => {
    expect(clientKeyOf('2001:db8::1')).toBe(clientKeyOf('2001:db8::ffff:2'))
    expect(clientKeyOf('2001:db8::1')).not.toBe(clientKeyOf('2001:db8:0:1::1'))
    expect(clientKeyOf('198.51.100.7')).not.toBe(clientKeyOf('198.51.100.8'))
  })

  test.each([
    [{ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'zip.example.com' }, 'https://zip.example.com'],
    [{ 'x-forwarded-proto': 'https' }, 'https://holdall.internal'],
    [{ 'x-forwarded-host': 'zip.example.com:8443' }, 'http://zip.example.com:8443'],
    [{ 'x-forwarded-proto': 'javascript' }, 'http://holdall.internal'],
    ...['not a host', '""', '%22', 'a{b}', 'user@zip.example.com', 'zip.example.com/path'].map(
      (host) => [{ 'x-forwarded-host': host }, 'http://holdall.internal'] as const,
    ),
  ])('uses the forwarded origin of a trusted proxy only: %j', (headers, origin) => {
    const target = new URL('http://holdall.internal/jobs')
    expect(proxies.requestedOrigin(requestWith(headers), '10.0.0.1', target)).toBe(origin)
    expect(proxies.requestedOrigin(requestWith(headers), '198.51.100.7', target)).toBe(target.origin)
  })
})
