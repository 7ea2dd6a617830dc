import { describe, expect, test } from 'bun:test'
import { likelyEntryName, numberDuplicates } from '../../../server/archive/names/entry-name.ts'
import { MAX_HOSTILE_INPUT_SECONDS, processorSeconds } from '../../support/hostile-input.ts'

describe('70,000 names are numbered in less than two seconds if they are', () => {
  test.each<[string, (index: number) => string]>([
    ['all the same', () => 'a.txt'],
    ['numbers taken in advance', (index) => (index % 2 === 0 ? `a (${index / 2 + 2}).txt` : 'a.txt')],
    ['numbers upon numbers', (index) => `a${' (2)'.repeat(index % 50)}.txt`],
    ['long ones of one beginning', (index) => `${'x'.repeat(240)}${String(index >> 1).padStart(5, '0')}.txt`],
    ['files that are folders elsewhere', (index) => `${'a/'.repeat(index % 60)}a`],
    ['letters of several folded forms', (index) => (index % 2 === 0 ? 'Straße İ ﬁ' : 'STRASSE İ FI')],
  ])('%s', (_, name) => {
    const names = Array.from({ length: 70_000 }, (__, index) => name(index))
    expect(processorSeconds(() => numberDuplicates(names))).toBeLessThan(MAX_HOSTILE_INPUT_SECONDS)
  })
})

describe('A name of 200,000 characters is made safe in less than two seconds if it is', () => {
  test.each([
    ['marks upon marks', '\u0300\u0316'],
    ['dots and spaces', '. '],
    ['separators', '/'],
    ['forbidden characters', ':*?'],
    ['halves of characters', '\uD800'],
    ['decomposed syllables', '가'.normalize('NFD')],
  ])('%s', (_, part) => {
    const source = {
      url: URL.parse('https://files.example/from-url.bin'),
      filename: `a${part.repeat(200_000 / part.length)}`,
    }
    expect(processorSeconds(() => likelyEntryName(source, null))).toBeLessThan(MAX_HOSTILE_INPUT_SECONDS)
  })
})
