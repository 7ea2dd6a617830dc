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
