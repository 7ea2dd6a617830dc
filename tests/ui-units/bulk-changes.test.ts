import { describe, expect, test } from 'bun:test'
import {
  type BulkChange,
  changedPart,
  linesOf,
  replaceByLines,
  replaceText,
} from '../../ui/src/archive-page/fixing/bulk-changes.ts'

const links = [
  { position: 3, url: 'http://old.example/a' },
  { position: 7, url: 'http://old.example/b?x=old.example' },
  { position: 8, url: 'http://other.example/OLD.example' },
]

describe('Replacing a text', () => {
  test('changes every occurrence in the links that contain it, and no other link', () => {
    expect(newUrls(replaceText(links, 'old.example', 'new.example'))).toEqual([
      [3, 'http://new.example/a'],
      [7, 'http://new.example/b?x=new.example'],
    ])
  })

  test('takes both texts literally', () => {
    expect(newUrls(replaceText(links, '?x=', '$&'))).toEqual([[7, 'http://old.example/b$&old.example']])
    expect(replaceText(links, '.*', '')).toEqual([])
  })

  test('changes nothing without a text to find, or with the same text', () => {
    expect(replaceText(links, '', 'x')).toEqual([])
    expect(replaceText(links, 'old', 'old')).toEqual([])
  })

  test('says which of the new links can’t be fetched', () => {
    expect(replaceText(links, 'http://old', 'ftp://old').map(({ problem }) => problem)).toEqual([
      { code: 'UNSUPPORTED_SCHEME', scheme: 'ftp' },
      { code: 'UNSUPPORTED_SCHEME', scheme: 'ftp' },
    ])
  })
})

describe('A pasted column', () => {
  test('gives each link the line in its place; an empty line leaves a link as it is', () => {
    const lines = linesOf('https://a.example/1\r\n\r\n https://a.example/3 \n')
    expect(newUrls(replaceByLines(links, lines))).toEqual([
      [3, 'https://a.example/1'],
      [8, 'https://a.example/3'],
    ])
  })

  test('may have too few lines or too many', () => {
    expect(newUrls(replaceByLines(links, linesOf('https://a.example/1')))).toEqual([
      [3, 'https://a.example/1'],
    ])
    expect(replaceByLines(links, linesOf('https://a.example\n'.repeat(9)))).toHaveLength(3)
    expect(linesOf('\n \n\n')).toEqual([])
  })

  test('may be the last of several columns of a table', () => {
    expect(linesOf('http://old.example/a\thttps://a.example/1\t\nhttps://a.example/2')).toEqual([
      'https://a.example/1',
      'https://a.example/2',
    ])
  })

  test('never joins two links to one', () => {
    const [change] = replaceByLines(links, linesOf('https://a.example/1 https://a.example/2'))
    expect(change?.problem).toEqual({ code: 'HAS_SPACE' })
  })
})

describe('The preview', () => {
  test.each([
    ['http://a/1', 'https://a/1', ['http', 's', '://a/1']],
    ['http://a/11', 'http://a/1', ['http://a/1', '', '']],
    ['http://a/1', 'http://b/2', ['http://', 'b/2', '']],
    ['', 'http://a', ['', 'http://a', '']],
  ])('of the change from %p to %p marks what differs', (from, to, parts) => {
    expect(changedPart(from, to)).toEqual([parts[0] ?? '', parts[1] ?? '', parts[2] ?? ''])
  })
})

function newUrls(changes: readonly BulkChange[]): [number, string][] {
  return changes.map(({ position, to }) => [position, to])
}
