import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { globMatcher } from '../../server/text/glob.ts'
import { MAX_HOSTILE_INPUT_SECONDS, processorSeconds } from '../support/hostile-input.ts'

test.each([
  ['https://a.test/x/1.PDF', '*.pdf', true],
  ['https://a.test/x/1.pdf?x', '*.pdf', false],
  ['https://a.test/x/1.pdf', '*/x/?.pdf', true],
  ['https://a.test/x/10.pdf', '*/x/?.pdf', false],
  ['abc', 'abc', true],
  ['abc', 'ab', false],
  ['', '*', true],
  ['', '?', false],
  ['', '', true],
  ['abc', '**c', true],
  ['a.c', 'a\\.c', false],
])('%s matches %s: %p', (text, pattern, expected) => {
  expect(globMatcher(pattern)(text)).toBe(expected)
})

/** The ends of all beginnings of a text that match a pattern, one character of the pattern after the other. */
function endsOf(text: string, pattern: string): ReadonlySet<number> {
  let ends = new Set([0])
  for (const wanted of pattern) {
    const next = new Set<number>()
    for (const end of ends) {
      if (wanted === '*') for (let to = end; to <= text.length; to++) next.add(to)
      else if (end < text.length && (wanted === '?' || wanted === text[end])) next.add(end + 1)
    }
    ends = next
  }
  return ends
}

test('Each pattern matches what its characters say, also beyond 32', () => {
  const letters = (characters: string, maxLength: number) =>
    fc.string({ unit: fc.constantFrom(...characters), maxLength })
  const pattern = fc.oneof(letters('ab*?', 8), letters('aB*?', 70))
  const text = fc.oneof(letters('ab', 10), letters('abA', 70))
  fc.assert(
    fc.property(pattern, text, (pattern, text) => {
      const expected = endsOf(text.toLowerCase(), pattern.toLowerCase()).has(text.length)
      expect(globMatcher(pattern)(text)).toBe(expected)
    }),
  )
})

test.each([
  ['nearly matches everywhere', `*${'a'.repeat(253)}b`],
  ['has many *', `${'*a'.repeat(127)}b`],
  ['has many ?', `*${'a?'.repeat(126)}b`],
  ['is all of ?', `*${'?'.repeat(253)}b`],
])('A page of the longest URLs takes little time with a pattern that %s', (_what, pattern) => {
  const matches = globMatcher(pattern)
  const match = () => {
    for (let link = 0; link < 1_000; link++) expect(matches('a'.repeat(8_192))).toBe(false)
  }
  // Alone, an eighth of a second; going back to the last `*` takes 10 to 20.
  expect(processorSeconds(match)).toBeLessThan(MAX_HOSTILE_INPUT_SECONDS)
})
