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

function summary(authority: Authority | null) {
  if (authority === null) return 'not http'
  return [`${authority.scheme}:`, authority.username, authority.password, authority.host]
}

function summaryOfWhole(url: URL | null) {
  if (url === null || !/^https?:$/.test(url.protocol)) return 'not http'
  return [url.protocol, url.username, url.password, url.host]
}
