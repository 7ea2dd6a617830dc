import { describe, expect, test } from 'bun:test'
import { readCookiesTxt } from '../../server/credentials/cookies-txt.ts'

const FILE = [
  '# Netscape HTTP Cookie File',
  '# https://curl.se/docs/http-cookies.html',
  '',
  'example.org\tFALSE\t/\tTRUE\t2000000000\tsession\ts3cret',
  '#HttpOnly_.example.org\tTRUE\t/files\tFALSE\t0\tid\ta=b=c',
  'EXAMPLE.NET\tfalse\t/\tfalse\t1700000000.5\tempty\t',
].join('\r\n')

describe('a cookies.txt', () => {
  test('has one cookie per line, with its domain, path, Secure flag and expiry date', () => {
    expect(readCookiesTxt(FILE)).toEqual([
      {
        name: 'session',
        value: 's3cret',
        domain: 'example.org',
        isHostOnly: true,
        path: '/',
        isSecure: true,
        expiresMs: 2e12,
      },
      {
        name: 'id',
        value: 'a=b=c',
        domain: 'example.org',
        isHostOnly: false,
        path: '/files',
        isSecure: false,
        expiresMs: Infinity,
      },
      {
        name: 'empty',
        value: '',
        domain: 'example.net',
        isHostOnly: true,
        path: '/',
        isSecure: false,
        expiresMs: 1_700_000_000_500,
      },
    ])
  })

  test('never gives a cookie to a whole top-level domain', () => {
    expect(readCookiesTxt('.org\tTRUE\t/\tFALSE\t0\ta\tb')[0]?.isHostOnly).toBe(true)
  })

  test('loses a cookie that cannot be sent, and keeps the others', () => {
    const text = 'a.test\tFALSE\t/\tFALSE\t0\ta\té\na.test\tFALSE\t/\tFALSE\t0\tb\t1'
    expect(readCookiesTxt(text).map(({ name }) => name)).toEqual(['b'])
  })

  test.each([
    ['spaces in place of tabs', 'a.test FALSE / FALSE 0 a s3cret', 1],
    ['too few fields', `${FILE}\na.test\tFALSE\t/`, 7],
    ['another format', '[{"domain":"a.test","name":"a","value":"s3cret"}]', 1],
    ['a word for a time', 'a.test\tFALSE\t/\tFALSE\tnever\ta\tb', 1],
  ])('with %s is refused by the number of the line', (_, text, line) => {
    expect(() => readCookiesTxt(text)).toThrow(
      `(line ${line}) is not a valid cookies.txt line. Export the cookies in the Netscape format`,
    )
  })
})
