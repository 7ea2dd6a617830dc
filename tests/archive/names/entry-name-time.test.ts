import { describe, expect, test } from 'bun:test'
import { likelyEntryName } from '../../../server/archive/names/entry-name.ts'
import { growth, MAX_GROWTH } from '../../support/cpu-time.ts'

function fromExplicit(filename: string): string {
  return likelyEntryName({ url: URL.parse('https://files.example/from-url.bin'), filename }, null)
}

describe('The time to make a hostile name safe grows in proportion to its length', () => {
  test.each([
    ['marks upon marks', '\u0300\u0316'],
    ['dots and spaces', '. '],
    ['separators', '/'],
    ['forbidden characters', ':*?'],
    ['halves of characters', '\uD800'],
    ['decomposed syllables', '가'.normalize('NFD')],
  ])('%s', (_, part) => {
    const work = (length: number) => {
      for (let index = 0; index < 60; index += 1) fromExplicit(`a${part.repeat(length)}${index}`)
    }
    expect(growth(8_000, work)).toBeLessThan(MAX_GROWTH)
  })
})
