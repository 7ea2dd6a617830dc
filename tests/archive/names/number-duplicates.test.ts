import { describe, expect, test } from 'bun:test'
import { numberDuplicates, numberingRoomBytes } from '../../../server/archive/names/entry-name.ts'

const byteLength = (text: string) => new TextEncoder().encode(text).length

test.each([
  ['an extension stays at the end', ['a.txt', 'a.txt', 'a.txt'], ['a.txt', 'a (2).txt', 'a (3).txt']],
  ['.tar.gz is one extension', ['a.tar.gz', 'a.tar.gz'], ['a.tar.gz', 'a (2).tar.gz']],
  ['a name without extension', ['a', 'a'], ['a', 'a (2)']],
  ['a dot file', ['.htaccess', '.htaccess'], ['.htaccess', '.htaccess (2)']],
  ['a number is added only to the last segment', ['d.x/a.txt', 'd.x/a.txt'], ['d.x/a.txt', 'd.x/a (2).txt']],
  ['names in different folders are not duplicates', ['x/a.txt', 'y/a.txt'], ['x/a.txt', 'y/a.txt']],
  ['names that differ in case are duplicates', ['A.txt', 'a.TXT'], ['A.txt', 'a (2).TXT']],
  [
    'folders that differ in case are the same',
    ['Docs/a.txt', 'docs/A.txt'],
    ['Docs/a.txt', 'docs/A (2).txt'],
  ],
  ['full case folding', ['Straße', 'STRASSE', 'strasse'], ['Straße', 'STRASSE (2)', 'strasse (3)']],
  ['case folding of ligatures', ['ﬁle', 'FILE'], ['ﬁle', 'FILE (2)']],
  ['both lower-case sigmas', ['ΟΔΟΣ', 'οδος', 'οδοσ'], ['ΟΔΟΣ', 'οδος (2)', 'οδοσ (3)']],
  ['Unicode form', ['café', 'cafe\u0301'], ['café', 'cafe\u0301 (2)']],
  [
    'Unicode form of what case folding takes apart',
    ['\u0390', '\u03AA\u0301'],
    ['\u0390', '\u03AA\u0301 (2)'],
  ],
  [
    'numbers of other names are skipped',
    ['a (2).txt', 'a.txt', 'a.txt'],
    ['a (2).txt', 'a.txt', 'a (3).txt'],
  ],
  [
    'a name depends on those before it alone',
    ['a.txt', 'a.txt', 'a (2).txt'],
    ['a.txt', 'a (2).txt', 'a (2) (2).txt'],
  ],
  ['a duplicate of a numbered name', ['a (2).txt', 'a (2).txt'], ['a (2).txt', 'a (2) (2).txt']],
  ['a file before the folder', ['a', 'a/b'], ['a (2)', 'a/b']],
  ['a file after the folder', ['A/b', 'a'], ['A/b', 'a (2)']],
  ['a file of an outer folder', ['a/b/c', 'a/B', 'a'], ['a/b/c', 'a/B (2)', 'a (2)']],
  ['a folder that looks numbered', ['a', 'a/b', 'a (2)/c'], ['a (3)', 'a/b', 'a (2)/c']],
  ['nothing', [], []],
])('duplicates are numbered in the order given: %s', (_, names, numbered) => {
  expect(numberDuplicates(names)).toEqual(numbered)
})

describe('a numbered name', () => {
  test('has at most 255 bytes per segment, keeps its extension and splits no character', () => {
    const name = `${'😀'.repeat(62)}.jpeg`
    expect(numberDuplicates([name, name])).toEqual([name, `${'😀'.repeat(61)} (2).jpeg`])
  })

  test('is at most 12 bytes longer than the likely name, so that it fits into the local header', () => {
    const numbered = numberDuplicates(Array.from({ length: 20_000 }, () => 'ä.txt'))
    const longest = Math.max(...numbered.map(byteLength))
    expect(numbered.at(-1)).toBe('ä (20000).txt')
    expect(longest - byteLength('ä.txt')).toBeLessThanOrEqual(numberingRoomBytes)
    expect(numberingRoomBytes).toBeLessThanOrEqual(16 - 4)
  })

  test('is unique even if long names with the same beginning share their numbers', () => {
    const names = Array.from(
      { length: 40 },
      (_, index) => `${'a'.repeat(253)}${String(index >> 1).padStart(2, '0')}`,
    )
    const numbered = numberDuplicates(names)
    expect(numbered.filter((_, index) => index % 2 === 1)).toEqual([
      ...Array.from({ length: 8 }, (_, index) => `${'a'.repeat(251)} (${index + 2})`),
      ...Array.from({ length: 12 }, (_, index) => `${'a'.repeat(250)} (${index + 10})`),
    ])
  })
})
