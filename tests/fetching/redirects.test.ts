import { describe, expect, test } from 'bun:test'
import { CookieJar } from '../../server/fetching/headers/cookies.ts'
import { parseSourceUrl } from '../../server/fetching/source-url.ts'
import { fetched } from '../support/fetched.ts'
import { forFile } from '../support/for-file.ts'
import { startOrigin } from '../support/origin.ts'

const origin = forFile(await startOrigin('0.0.0.0'))

describe('a Location in raw bytes', () => {
  test.concurrent('is UTF-8 if it is valid UTF-8', async () => {
    const query = new URLSearchParams({ to: '/ok/Grüße 日本.txt?q=ü' })
    await fetched(origin.url(`/raw-utf8-location?${query}`))
    expect(origin.requests(`/ok/${encodeURIComponent('Grüße 日本.txt')}?q=%C3%BC`)).toHaveLength(1)
  })

  test.concurrent('keeps its bytes if it is not', async () => {
    const query = new URLSearchParams({ to: '/ok/latin1?name=Grüße' })
    await fetched(origin.url(`/raw-latin1-location?${query}`))
    expect(origin.requests('/ok/latin1?name=Gr%FC%DFe')).toHaveLength(1)
  })
})

describe('cookies that a fetch is given on its way', () => {
  test.concurrent('are sent on its later hops', async () => {
    expect(await fetched(origin.url('/cookie-wall/file.txt'))).toMatchObject({ name: 'file.txt' })
  })

  test.concurrent('are not sent to another host', async () => {
    const to = origin.urlAtHost(2, '/ok/elsewhere')
    const query = new URLSearchParams([
      ['to', to],
      ['cookie', 'a=b; Path=/'],
    ])
    await fetched(origin.url(`/set-cookies?${query}`))
    expect(origin.requests('/ok/elsewhere').map(({ headers }) => headers.get('cookie'))).toEqual([null])
  })

  test.concurrent('are forgotten when it ends', async () => {
    const query = new URLSearchParams([
      ['to', '/ok/forgotten'],
      ['cookie', 'a=b; Path=/'],
    ])
    const url = origin.url(`/set-cookies?${query}`)
    await fetched(url)
    await fetched(url)
    expect(cookiesOf('/ok/forgotten')).toEqual(['a=b', 'a=b'])
    expect(cookiesOf(`/set-cookies?${query}`)).toEqual([null, null])
  })

  test.concurrent('keep their raw bytes', async () => {
    const query = new URLSearchParams([
      ['to', '/ok/raw'],
      ['cookie', 'a=ü; Path=/'],
      ['cookie', 'c="d e"; Path=/'],
    ])
    await fetched(origin.url(`/set-cookies?${query}`))
    expect(cookiesOf('/ok/raw')).toEqual(['a=ü; c="d e"'])
  })
})

function cookiesOf(path: string) {
  return origin.requests(path).map(({ headers }) => headers.get('cookie'))
}

describe('a cookie is sent by the rules of RFC 6265', () => {
  const FROM = 'https://www.example.org/a/b/page'
  test.each([
    ['to its host', 'a=b', 'https://www.example.org/a/b/c', 'a=b'],
    ['to another port of its host', 'a=b', 'https://www.example.org:8443/a/b/c', 'a=b'],
    ['not to a subdomain', 'a=b', 'https://x.www.example.org/a/b/c', null],
    ['not to a parent domain', 'a=b', 'https://example.org/a/b/c', null],
    ['to all hosts of its domain', 'a=b; Domain=.Example.org', 'https://x.example.org/a/b/c', 'a=b'],
    ['to subdomains of its own host', 'a=b; Domain=www.example.org', 'https://x.www.example.org/a/b/', 'a=b'],
    ['not if its domain is another one', 'a=b; Domain=example.net', FROM, null],
    ['not if its domain only looks like the end of the host', 'a=b; Domain=ample.org', FROM, null],
    ['not if its domain is a top-level domain', 'a=b; Domain=org', FROM, null],
    ['not above the directory of the page', 'a=b', 'https://www.example.org/a/', null],
    ['to its path', 'a=b; Path=/x', 'https://www.example.org/x', 'a=b'],
    ['below its path', 'a=b; Path=/x', 'https://www.example.org/x/y', 'a=b'],
    ['not to a path that only begins so', 'a=b; Path=/x', 'https://www.example.org/xy', null],
    ['not without TLS if it is secure', 'a=b; Secure', 'http://www.example.org/a/b/c', null],
    ['without TLS if it is not', 'a=b', 'http://www.example.org/a/b/c', 'a=b'],
    ['with a value that contains an equals sign', 'a=b=c', FROM, 'a=b=c'],
    ['with an empty value', 'a=', FROM, 'a='],
    ['not without a name', '=b', FROM, null],
    ['not without an equals sign', 'a', FROM, null],
    ['not after its Max-Age', 'a=b; Max-Age=0', FROM, null],
    ['not after it expires', 'a=b; Expires=Thu, 01-Jan-1970 00:00:01 GMT', FROM, null],
    [
      'if its Max-Age goes on when it expires',
      'a=b; Expires=Thu, 01-Jan-1970 00:00:01 GMT; Max-Age=60',
      FROM,
      'a=b',
    ],
    ['if it expires later', 'a=b; Expires=Wed, 09 Jun 2100 10:18:14 GMT', FROM, 'a=b'],
    ['not if it is longer than 4,096 characters', `a=${'b'.repeat(4096)}`, FROM, null],
  ])('%s', (_, cookie, to, expected) => {
    expect(sent(FROM, [cookie], to)).toBe(expected)
  })

  test('longer paths come first, then earlier cookies', () => {
    const cookies = ['a=1; Path=/', 'b=2; Path=/a', 'c=3; Path=/']
    expect(sent(FROM, cookies, FROM)).toBe('b=2; a=1; c=3')
  })

  test('a new value replaces an earlier one, and a past one deletes it', () => {
    const cookies = ['a=1; Path=/', 'b=2; Path=/', 'a=3; Path=/', 'b=; Path=/; Max-Age=0']
    expect(sent(FROM, cookies, FROM)).toBe('a=3')
  })

  test('an address has no subdomains', () => {
    expect(sent('http://127.0.0.1/', ['a=b; Domain=0.0.1'], 'http://127.0.0.1/')).toBeNull()
    expect(sent('http://127.0.0.1/', ['a=b; Domain=127.0.0.1'], 'http://127.0.0.1/')).toBe('a=b')
  })

  test('a fetch keeps at most 50 cookies', () => {
    const cookies = Array.from({ length: 100 }, (_, index) => `a${index}=b`)
    expect(sent(FROM, cookies, FROM)?.split('; ')).toHaveLength(50)
  })
})

/** The `Cookie` of a request after a response with these cookies. */
function sent(from: string, cookies: readonly string[], to: string): string | null {
  const jar = new CookieJar()
  jar.keep(parseSourceUrl(from), cookies, Date.UTC(2026, 0))
  return jar.headerFor(parseSourceUrl(to), Date.UTC(2026, 0))
}
