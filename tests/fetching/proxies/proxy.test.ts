import { describe, expect, test } from 'bun:test'
import { isExempt } from '../../../server/fetching/proxies/no-proxy.ts'
import { parseProxy, proxyName } from '../../../server/fetching/proxies/proxy.ts'

describe('The address of a proxy', () => {
  test.each([
    ['http://proxy.example:3128', 'proxy http://proxy.example:3128', null],
    ['HTTPS://Proxy.example:8443/', 'proxy https://proxy.example:8443', null],
    ['proxy.example:3128', 'proxy http://proxy.example:3128', null],
    ['proxy.example', 'proxy http://proxy.example:1080', null],
    ['http://proxy.example:80', 'proxy http://proxy.example:80', null],
    ['https://proxy.example', 'proxy https://proxy.example:443', null],
    ['http://[fd00::1]:3128', 'proxy http://[fd00::1]:3128', null],
    ['http://ann:secret@proxy.example:3128', 'proxy http://proxy.example:3128', 'ann:secret'],
    ['ann:p%40ss%3A@10.0.0.1:3128', 'proxy http://10.0.0.1:3128', 'ann:p@ss:'],
    ['http://ann:a/b@c@proxy.example:3128', 'proxy http://proxy.example:3128', 'ann:a/b@c'],
    ['http://ann@proxy.example:3128', 'proxy http://proxy.example:3128', 'ann:'],
  ])('%s is %s', (text, name, login) => {
    const proxy = parseProxy(text)
    if (proxy === null) throw new Error('not a proxy')
    expect(proxyName(proxy)).toBe(name)
    const encoded = proxy.authorization?.replace('Basic ', '') ?? null
    expect(encoded === null ? null : Buffer.from(encoded, 'base64').toString()).toBe(login)
  })

  test.each([
    '',
    'socks5://proxy.example:1080',
    'http://',
    'http://proxy.example:0',
    'http://proxy.example:99999',
    'http://proxy.example/path',
    'http://proxy.example?x',
    'http://proxy example:1',
    'http://[fd00::1',
  ])('%s is refused', (text) => {
    expect(parseProxy(text)).toBeNull()
  })
})

describe('Without a proxy, as with curl,', () => {
  test.each([
    ['*', 'example.com', true],
    ['example.com', 'example.com', true],
    ['example.com', 'www.EXAMPLE.com', true],
    ['.example.com', 'example.com', true],
    ['.example.com', 'www.example.com', true],
    ['example.com.', 'example.com', true],
    ['example.com', 'example.com.', true],
    ['example.com', 'nonexample.com', false],
    ['www.example.com', 'example.com', false],
    ['a.test, b.test', 'b.test', true],
    ['a.test b.test', 'b.test', true],
    ['', 'example.com', false],
    [' ,, .', 'example.com', false],
    ['192.0.2.1', '192.0.2.1', true],
    ['192.0.2.0/24', '192.0.2.77', true],
    ['192.0.2.0/24', '192.0.3.77', false],
    ['2001:db8::/32', '2001:db8::7', true],
    ['[::1]', '::1', true],
    ['10.0.0.0/8', 'ten.example', false],
    ['1', '192.0.2.1', false],
    ['example.com:443', 'example.com', true],
    ['example.com:80', 'example.com', false],
    ['[::1]:443', '::1', true],
    ['[::1]:80', '::1', false],
  ])('"%s" reaches %s at port 443: %p', (list, host, expected) => {
    expect(isExempt(list, host, 443)).toBe(expected)
  })
})
