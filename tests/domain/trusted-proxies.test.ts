import { describe, expect, test } from 'bun:test'
import { openTrustedProxies } from '../../server/http/trusted-proxies.ts'

const requestWith = (headers: Record<string, string>) =>
  new Request('http://holdall.internal/jobs', { headers })

describe('--trust-proxy', () => {
  const proxies = openTrustedProxies(['10.0.0.0/8', 'fd00::/8'])
  const forwardedFor = (list: string) => requestWith({ 'x-forwarded-for': list })
  const rateLimitKeyOf = (address: string) => openTrustedProxies([]).rateLimitKeyOf(requestWith({}), address)

  test.each([
    ['a proxy tells of its client', '198.51.100.7', '10.0.0.1', '198.51.100.7'],
    ['through two proxies', '198.51.100.7, 10.0.0.2', '10.0.0.1', '198.51.100.7'],
    ['what the client wrote itself is not believed', '203.0.113.9, 198.51.100.7', '10.0.0.1', '198.51.100.7'],
    ['nor is a stranger', '203.0.113.9', '198.51.100.7', '198.51.100.7'],
    ['nor what is no address', 'unknown', '10.0.0.1', '10.0.0.1'],
    ['a port does not count', '198.51.100.7:49152', '10.0.0.1', '198.51.100.7'],
    ['nor does it through two proxies', '198.51.100.7:49152, 10.0.0.2:80', '10.0.0.1', '198.51.100.7'],
    ['nor behind an IPv6 address', '[2001:db8::7]:443', '10.0.0.1', '2001:db8::7'],
    ['nor do brackets', '[2001:db8::7]', '10.0.0.1', '2001:db8::7'],
    ['nor do quotes', '"[2001:db8::7]:443"', '10.0.0.1', '2001:db8::7'],
    ['nor do quotes around an IPv4 address', '"198.51.100.7:49152"', '10.0.0.1', '198.51.100.7'],
    ['nor do empty elements', '198.51.100.7, ,', '10.0.0.1', '198.51.100.7'],
    ['nor is an address with two ports one', '198.51.100.7:80:80', '10.0.0.1', '10.0.0.1'],
    ['a mapped address is the IPv4 one', '198.51.100.7', '::ffff:10.0.0.1', '198.51.100.7'],
  ])('%s: X-Forwarded-For: %s from %s is %s', (_what, list, peer, client) => {
    expect(proxies.rateLimitKeyOf(forwardedFor(list), peer)).toBe(rateLimitKeyOf(client))
  })

  test('the addresses of one IPv6 network of 64 bits count as one', () => {
    expect(rateLimitKeyOf('2001:db8::1')).toBe(rateLimitKeyOf('2001:db8::ffff:2'))
    expect(rateLimitKeyOf('2001:db8::1')).not.toBe(rateLimitKeyOf('2001:db8:0:1::1'))
    expect(rateLimitKeyOf('198.51.100.7')).not.toBe(rateLimitKeyOf('198.51.100.8'))
  })

  test.each([
    [{ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'zip.example.com' }, 'https://zip.example.com'],
    [{ 'x-forwarded-proto': 'https' }, 'https://holdall.internal'],
    [{ 'x-forwarded-host': 'zip.example.com:8443' }, 'http://zip.example.com:8443'],
    [{ 'x-forwarded-proto': 'javascript' }, 'http://holdall.internal'],
    [{ 'x-forwarded-host': 'not a host' }, 'http://holdall.internal'],
  ])('a proxy tells the origin that the client asked for: %j', (headers, origin) => {
    const target = new URL('http://holdall.internal/jobs')
    expect(proxies.requestedOrigin(requestWith(headers), '10.0.0.1', target)).toBe(origin)
    expect(proxies.requestedOrigin(requestWith(headers), '198.51.100.7', target)).toBe(target.origin)
  })
})
