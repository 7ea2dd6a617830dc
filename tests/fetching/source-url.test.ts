import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseSourceUrl, splitUrl } from '../../server/fetching/source-url.ts'
import { urlTexts } from '../support/url-texts.ts'

test('an http or https URL has the parts that the URL parser gives it, and no other URL has any', () => {
  fc.assert(
    fc.property(urlTexts(), (text) => {
      const url = URL.parse(text)
      if (url !== null) expect<unknown>(splitUrl(url)).toEqual(expectedOf(url))
    }),
    { numRuns: 20_000 },
  )
})

test('a URL has these parts whatever URLs of its host came before', () => {
  const path = fc.array(
    fc.constantFrom('/', 'a', 'B', '_', '-', '~', '.', '..', '/.', '%2e', ' ', '?', '#', 'é', ':80'),
  )
  const url = fc
    .tuple(
      fc.constantFrom('https://example.org', 'http://[::1]:8080', 'http://127.1', 'http://a:b@example.org'),
      path,
    )
    .map(([origin, pieces]) => origin + pieces.join(''))
  fc.assert(
    fc.property(fc.array(url, { maxLength: 4 }), (texts) => {
      for (const text of texts) {
        const parsed = URL.parse(text)
        if (parsed !== null) expect<unknown>(parseSourceUrl(text)).toEqual(expectedOf(parsed))
      }
    }),
    { numRuns: 20_000 },
  )
})

test.each(['ftp://example.org/', 'http://', 'example.org'])('%s is refused', (text) => {
  expect(() => parseSourceUrl(text)).toThrow(RangeError)
})

function expectedOf({ href, protocol, username, password, hostname, host, port, pathname, search }: URL) {
  if (protocol !== 'http:' && protocol !== 'https:') return null
  const number = port === '' ? { 'http:': 80, 'https:': 443 }[protocol] : Number(port)
  // `search` is empty for an empty query, whose question mark belongs to the request.
  const isQueryEmpty = search === '' && href.split('#', 1)[0]?.endsWith('?')
  return {
    href,
    scheme: protocol.slice(0, -1),
    username,
    password,
    hostname,
    port: number,
    host,
    hostKey: `${hostname}:${number}`,
    pathname,
    path: `${pathname}${isQueryEmpty ? '?' : search}`,
  }
}
