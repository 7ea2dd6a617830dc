import { expect, test } from 'bun:test'
import { type LoginKind, loginKind } from '../../server/credentials/login-kind.ts'

test.each<[LoginKind | null, string]>([
  ['curl', "curl 'https://a.test'"],
  ['curl', '$ curl -s https://a.test'],
  ['curl', 'curl ^"https://a.test^"'],
  ['curl', 'curl.exe \\\n https://a.test'],
  ['curl', '\n curl https://a.test'],
  ['cookies.txt', '# Netscape HTTP Cookie File\n'],
  ['cookies.txt', '# HTTP Cookie File downloaded from a.test\n'],
  ['cookies.txt', '# mine\n\na.test\tFALSE\t/\tTRUE\t2000000000\ta\tb'],
  ['cookies.txt', '#HttpOnly_.a.test\tTRUE\t/\tFALSE\t0\ta\tb'],
  ['netrc', '# mine\n\nmachine a.test\n login me'],
  ['netrc', 'default login you password pw'],
  [null, 'curl is a tool: https://curl.se'],
  [null, 'curling https://a.test'],
  [null, 'Use curl -s'],
  [null, 'https://a.test/curl'],
  [null, 'https://a.test/a\tname.pdf'],
  [null, 'https://a.test/a\tTRUE\t/folder\tFALSE\tname'],
  [null, '# a list\nhttps://a.test/'],
  [null, 'machine learning: https://a.test/'],
  [null, ''],
])('is %p: %p', (kind, text) => {
  expect(loginKind(text)).toBe(kind)
})

test('a long text takes no longer than a short one', () => {
  for (const part of ['#\n', ' ', '\n', 'a\t', 'machine ']) {
    const text = part.repeat(5_000_000)
    // The first call also joins the parts. Others take less than a millisecond; to look at all would take more than a hundred.
    const tookMs = [0, 1, 2, 3].map(() => {
      const startedMs = process.cpuUsage().user
      expect(loginKind(text)).toBeNull()
      return (process.cpuUsage().user - startedMs) / 1000
    })
    expect(Math.min(...tookMs)).toBeLessThan(30)
  }
})
