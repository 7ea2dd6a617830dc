import { describe, expect, test } from 'bun:test'
import { loginsForLinks, type PastedLogins, readLogins } from '../../ui/src/new-archive/read-logins.ts'

const NONE: PastedLogins = { commands: [], cookies: [], netrc: [] }
const link = (url: string) => ({ url, filename: null })

describe('the logins for the links of a draft', () => {
  test('are those of their origins, without the everyday headers of a browser', () => {
    const text = `curl 'https://a.test/1' -H 'Accept: */*' -H 'Sec-Fetch-Mode: navigate' -H 'User-Agent: x' -H 'Referer: https://a.test/' -b 'a=1' -H 'X-Key: k'
curl 'https://b.test/1' -H 'X-Key: other'`
    const given = { ...NONE, ...readLogins(text, 'curl') }
    expect(loginsForLinks([link('https://a.test/2')], given, 0)).toEqual([
      {
        origin: 'https://a.test',
        isLogin: true,
        headers: [
          { name: 'X-Key', value: 'k' },
          { name: 'Cookie', value: 'a=1' },
          { name: 'User-Agent', value: 'x' },
          { name: 'Referer', value: 'https://a.test/' },
        ],
      },
    ])
    expect(loginsForLinks([link('http://a.test/1'), link('https://a.test:8443/1')], given, 0)).toEqual([])
  })

  test('are not a login if they only say what browser it was', () => {
    const given = { ...NONE, ...readLogins(`curl 'https://a.test/1' -A x -H 'Accept: */*'`, 'curl') }
    expect(loginsForLinks([link('https://a.test/1')], given, 0)).toMatchObject([{ isLogin: false }])
    const everyday = { ...NONE, ...readLogins(`curl 'https://a.test/1' -H 'Accept: */*'`, 'curl') }
    expect(loginsForLinks([link('https://a.test/1')], everyday, 0)).toEqual([])
  })

  test('are the cookies for any link of an origin, by domain, path, Secure flag and expiry date', () => {
    const lines = [
      'a.test\tFALSE\t/\tFALSE\t0\tone\t1',
      '.a.test\tTRUE\t/x\tTRUE\t0\ttwo\t2',
      'a.test\tFALSE\t/other\tFALSE\t0\tthree\t3',
      'a.test\tFALSE\t/\tFALSE\t1\texpired\t4',
      'b.test\tFALSE\t/\tFALSE\t0\tfive\t5',
    ]
    const given = { ...NONE, ...readLogins(lines.join('\n'), 'cookies.txt') }
    const links = ['https://a.test/1', 'https://a.test/x/2', 'http://a.test/x'].map(link)
    const sent = loginsForLinks(links, given, 2000).map(({ origin, headers }) => [origin, headers[0]?.value])
    expect(sent).toEqual([
      ['https://a.test', 'two=2; one=1'],
      ['http://a.test', 'one=1'],
    ])
  })

  test('are those of a .netrc for their hosts, before which a copied command goes', () => {
    const given = {
      ...NONE,
      ...readLogins('machine a.test login me password pw default login you password no', 'netrc'),
      ...readLogins(`curl -H 'Authorization: Bearer t' https://c.test/`, 'curl'),
    }
    const links = ['https://a.test/', 'https://b.test/', 'https://c.test/'].map(link)
    expect(loginsForLinks(links, given, 0).map(({ headers }) => headers)).toEqual([
      [{ name: 'Authorization', value: `Basic ${btoa('me:pw')}` }],
      [{ name: 'Authorization', value: `Basic ${btoa('you:no')}` }],
      [{ name: 'Authorization', value: 'Bearer t' }],
    ])
  })
})
