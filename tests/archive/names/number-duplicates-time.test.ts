import { describe, expect, test } from 'bun:test'
import { numberDuplicates } from '../../../server/archive/names/entry-name.ts'
import { growth, MAX_GROWTH } from '../../support/cpu-time.ts'

describe('The time to number hostile names grows in proportion to their count', () => {
  test.each<[string, (index: number) => string]>([
    ['all the same', () => 'a.txt'],
    ['numbers taken in advance', (index) => (index % 2 === 0 ? `a (${index / 2 + 2}).txt` : 'a.txt')],
    ['numbers upon numbers', (index) => `a${' (2)'.repeat(index % 50)}.txt`],
    ['long ones of one beginning', (index) => `${'x'.repeat(240)}${String(index >> 1).padStart(5, '0')}.txt`],
    ['files that are folders elsewhere', (index) => `${'a/'.repeat(index % 60)}a`],
    ['letters of several folded forms', (index) => (index % 2 === 0 ? 'Straße İ ﬁ' : 'STRASSE İ FI')],
  ])('%s', (_, name) => {
    const work = (count: number) => numberDuplicates(Array.from({ length: count }, (_, index) => name(index)))
    expect(growth(8_000, work)).toBeLessThan(MAX_GROWTH)
  })
})
