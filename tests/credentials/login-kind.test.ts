import { expect, test } from 'bun:test'
import { type LoginKind, loginKind } from '../../server/credentials/login-kind.ts'
import { MAX_HOSTILE_INPUT_SECONDS, processorSeconds } from '../support/hostile-input.ts'

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

test('only the beginning of a text counts, so that a long one keeps nobody waiting', () => {
  for (const before of ['#\n', '\n', ' \n']) {
    const login = 'machine a.test login me'
    expect(loginKind(before.repeat(1_000) + login)).toBe('netrc')
    expect(loginKind(before.repeat(10_000) + login)).toBeNull()
  }
})

test.each(['#\n', ' ', '\n', 'a\t', 'machine ', '#'])(
  'a text of nothing but %j takes little time',
  (part) => {
    const text = part.repeat(5_000_000)
    // Who pastes a text may not have written it.
    expect(processorSeconds(() => loginKind(text))).toBeLessThan(MAX_HOSTILE_INPUT_SECONDS)
  },
)
