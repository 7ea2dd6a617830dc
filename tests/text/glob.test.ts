import { expect, test } from 'bun:test'
import { matchesGlob } from '../../server/text/glob.ts'

test.each([
  ['https://a.test/x/1.PDF', '*.pdf', true],
  ['https://a.test/x/1.pdf?x', '*.pdf', false],
  ['https://a.test/x/1.pdf', '*/x/?.pdf', true],
  ['https://a.test/x/10.pdf', '*/x/?.pdf', false],
  ['abc', 'abc', true],
  ['abc', 'ab', false],
  ['', '*', true],
  ['abc', '**c', true],
  ['a.c', 'a\\.c', false],
])('%s matches %s: %p', (text, pattern, expected) => {
  expect(matchesGlob(text, pattern)).toBe(expected)
})

test('no pattern takes long', () => {
  const startedMs = process.cpuUsage().user
  expect(matchesGlob('a'.repeat(8_000), `${'*a'.repeat(500)}b`)).toBe(false)
  expect((process.cpuUsage().user - startedMs) / 1000).toBeLessThan(2_000)
})
