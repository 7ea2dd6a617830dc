import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseAuthority } from '../../server/fetching/parse-authority.ts'

/** Pieces whose combinations the URL parser treats in special ways. */
const PIECES = [
  ...[
    'http',
    'https',
    'HTTP',
    'ftp',
    'ht',
    'tp',
    ':',
    '/',
    '//',
    '\\',
    '?',
    '#',
    '@',
    '.',
    '..',
    '%',
    '%2f',
    '%zz',
  ],
  ...[
    ' ',
    '\t',
    '\n',
    '\r',
    '\0',
    '\u{1F}',
    '\u{A0}',
    '[',
    ']',
    '[::1]',
    '127.1',
    '0x7f',
    'é',
    '日本',
    '\u{D800}',
  ],
  ...[
    'user',
    'a:b@',
    ':80',
    ':443',
    ':99999',
    ':',
    'example.org',
    'EXAMPLE.org.',
    'xn--a',
    '|',
    '^',
    '<',
    '"',
    '{',
  ],
]

test('an http or https URL has the scheme, host and port that the whole of it has, and is valid if the whole is', () => {
  const anyText = fc.array(fc.constantFrom(...PIECES), { maxLength: 10 }).map((pieces) => pieces.join(''))
  const text = fc.oneof(
    anyText,
    anyText.map((end) => `http:${end}`),
    anyText.map((end) => `https://example.org${end}`),
  )
  fc.assert(
    fc.property(text, (submitted) => {
      expect(summary(parseAuthority(submitted))).toEqual(summary(URL.parse(submitted)))
    }),
    { numRuns: 20_000 },
  )
})

/** All that is asked of other schemes is that they are others. */
function summary(url: URL | null) {
  if (url === null || !/^https?:$/.test(url.protocol)) return 'not http'
  return [url.protocol, url.username, url.password, url.host]
}
