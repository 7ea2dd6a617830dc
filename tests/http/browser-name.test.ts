import { describe, expect, test } from 'bun:test'
import { browserName } from '../../server/http/keys/browser-name.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

describe('A browser that signs in is named after its User-Agent', () => {
  test.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0',
      'Firefox on Windows',
    ],
    [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/130.0.0.0 Safari/537.36`, 'Chrome on Linux'],
    [
      `Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0`,
      'Edge on Windows',
    ],
    [`Mozilla/5.0 (Linux; Android 14) ${WEBKIT} Chrome/130.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.5 Safari/605.1.15',
      'Safari on Mac',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile Safari/604.1',
      'Safari on iPhone',
    ],
    ['curl/8.0', 'Browser'],
    ['', 'Browser'],
    [null, 'Browser'],
  ])('%s', (userAgent, name) => {
    expect(browserName(userAgent)).toBe(name)
  })
})
