import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Authority, parseAuthority } from '../../server/fetching/parse-authority.ts'
import { urlTexts } from '../support/url-texts.ts'

test('an http or https URL has the scheme, host and port that the whole of it has, and is valid if the whole is', () => {
  fc.assert(
    fc.property(urlTexts(), (submitted) => {
      expect(summary(parseAuthority(submitted))).toEqual(summaryOfWhole(URL.parse(submitted)))
    }),
    { numRuns: 20_000 },
  )
})

test('a URL is not taken for the one before it', () => {
  const texts = [
    'http://a/1',
    'http://a/2',
    'https://a/1',
    'http://a:81/1',
    'ftp://a/1',
    'http://u@a/1',
    'http://',
    'http:////',
    'http:////b/1',
    'http://a',
    'http://ab/1',
  ]
  const known = ['a:80', 'a:80', 'a:443', 'a:81', undefined, 'a:80']
  const hosts = [...known, undefined, undefined, 'b:80', 'a:80', 'ab:80']
  for (const order of [texts, texts.toReversed()])
    for (const text of order) expect(parseAuthority(text)?.hostKey).toBe(hosts[texts.indexOf(text)])
})

function summary(authority: Authority | null) {
  if (authority === null) return 'not http'
  return [`${authority.scheme}:`, authority.username, authority.password, authority.host]
}

function summaryOfWhole(url: URL | null) {
  if (url === null || !/^https?:$/.test(url.protocol)) return 'not http'
  return [url.protocol, url.username, url.password, url.host]
}
