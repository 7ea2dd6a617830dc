import { describe, expect, test } from 'bun:test'
import { detectTable, splitFields } from '../../ui/src/new-archive/table-format.ts'

const NONE = -1

describe('A text is a table when', () => {
  test.each([
    ['its first line names a column of links', ['url,name', 'x'], [',', 0, 0, 1, NONE]],
    ['in any case and with spaces', [' URL , File Name '], [',', 0, 0, 1, NONE]],
    ['in any order', ['folder;name;link'], [';', 0, 2, 1, 0]],
    ['between tabs', ['address\tdirectory\tfilename'], ['\t', 0, 0, 2, 1]],
    ['of links alone', ['links', 'x'], [',', 0, 0, NONE, NONE]],
    ['under empty lines', ['', ' ', 'url,file'], [',', 2, 0, 1, NONE]],
    ['in quotes', ['"url","path"'], [',', 0, 0, 1, NONE]],
    [
      'all its lines are a link, a comma and a name',
      ['https://a.test/1,a', 'https://a.test/2,b'],
      [',', NONE, 0, 1, NONE],
    ],
  ] as const)('%s', (_, lines, [separator, headerLine, urlColumn, nameColumn, folderColumn]) => {
    expect(detectTable(lines)).toEqual({ separator, headerLine, urlColumn, nameColumn, folderColumn })
  })
})

describe('A text is a plain list when', () => {
  test.each([
    ['it is empty', []],
    ['it is blank', ['', '  ']],
    ['it is one line, whose comma may be of the link', ['https://a.test/map?at=1,2']],
    ['one of its lines has no comma', ['https://a.test/1,a', 'https://a.test/2']],
    ['links stand on both sides of the comma', ['https://a.test/1,https://b.test/1', 'https://a.test/2,b']],
    ['its first line names columns, but none of links', ['name,folder']],
  ])('%s', (_, lines) => {
    expect(detectTable(lines)).toBeNull()
  })
})

describe('The fields of a line (RFC 4180)', () => {
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

  test('are parted by the separator alone', () => {
    expect(splitFields('a,b;c', ';')).toEqual(['a,b', 'c'])
  })
})
