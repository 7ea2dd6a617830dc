import { describe, expect, test } from 'bun:test'
import { detectTable, splitFields } from '../../ui/src/new-archive/table-format.ts'

const NONE = -1

describe('Text is a table if', () => {
  test.each([
    ['its first line names a column of links', ['url,name', 'x'], [',', 0, 0, 1, NONE]],
    ['the header has capitals and spaces', [' URL , File Name '], [',', 0, 0, 1, NONE]],
    ['the columns are in another order', ['folder;name;link'], [';', 0, 2, 1, 0]],
    ['the columns are separated by tabs', ['address\tdirectory\tfilename'], ['\t', 0, 0, 2, 1]],
    ['links are the only column', ['links', 'x'], [',', 0, 0, NONE, NONE]],
    ['empty lines precede the header', ['', ' ', 'url,file'], [',', 2, 0, 1, NONE]],
    ['the header is quoted', ['"url","path"'], [',', 0, 0, 1, NONE]],
    [
      'every line is a link, a comma and a name',
      ['https://a.test/1,a', 'https://a.test/2,b'],
      [',', NONE, 0, 1, NONE],
    ],
  ] as const)('%s', (_, lines, [separator, headerLine, urlColumn, nameColumn, folderColumn]) => {
    expect(detectTable(lines)).toEqual({ separator, headerLine, urlColumn, nameColumn, folderColumn })
  })
})

describe('Text is a plain list if', () => {
  test.each([
    ['it is empty', []],
    ['it is blank', ['', '  ']],
    ['it has only one line, whose comma may be part of the link', ['https://a.test/map?at=1,2']],
    ['one of its lines has no comma', ['https://a.test/1,a', 'https://a.test/2']],
    [
      'there are links on both sides of the comma',
      ['https://a.test/1,https://b.test/1', 'https://a.test/2,b'],
    ],
    ['its header names columns, but none of links', ['name,folder']],
  ])('%s', (_, lines) => {
    expect(detectTable(lines)).toBeNull()
  })
})

describe('splitFields splits (RFC 4180)', () => {
  test.each([
    ['a,b,c', ['a', 'b', 'c']],
    ['', ['']],
    [',', ['', '']],
    ['"a, b",c', ['a, b', 'c']],
    ['"he said ""no""",c', ['he said "no"', 'c']],
    [' "a" ,b', [' a ', 'b']],
    ['5" disk,b', ['5" disk', 'b']],
    ['"open,b', ['open,b']],
  ])('%s', (line, fields) => {
    expect(splitFields(line, ',')).toEqual(fields)
  })

  test('only at the given separator', () => {
    expect(splitFields('a,b;c', ';')).toEqual(['a,b', 'c'])
  })
})
