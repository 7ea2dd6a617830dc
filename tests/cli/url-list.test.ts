import { expect, test } from 'bun:test'
import { readUrlList } from '../../server/cli/url-list.ts'
import type { Source } from '../../server/engine/job-order.ts'

function sourcesOf(text: string): readonly Source[] {
  const sources = readUrlList(text)
  return sources.slice(0, sources.length)
}

test('a list has one URL per line, which a tab and the name of its entry may follow', () => {
  expect(sourcesOf('http://a/1\nhttp://a/2\tb/two.txt\nhttp://a/3\t\n')).toEqual([
    { url: 'http://a/1', filename: null },
    { url: 'http://a/2', filename: 'b/two.txt' },
    { url: 'http://a/3', filename: null },
  ])
})

test('what follows a second tab is ignored', () => {
  expect(sourcesOf('http://a/1\tone.txt\tand a note')).toEqual([{ url: 'http://a/1', filename: 'one.txt' }])
})

test('lines may end with CR LF, and the last one needs no end', () => {
  expect(sourcesOf('http://a/1\r\nhttp://a/2\ttwo.txt\r\nhttp://a/3')).toEqual([
    { url: 'http://a/1', filename: null },
    { url: 'http://a/2', filename: 'two.txt' },
    { url: 'http://a/3', filename: null },
  ])
})

test('empty lines and lines that begin with # are skipped, but counted', () => {
  expect(sourcesOf('# a comment\n\n \t \nhttp://a/1\n')).toEqual([{ url: 'http://a/1', filename: null }])
  expect(() => readUrlList('# a comment\n\nnot a URL\n')).toThrow(/^line 3: expected an http or https URL/)
})

test('a line that begins with a tab has no URL', () => {
  expect(() => readUrlList('http://a/1\n\tone.txt\n')).toThrow(/^line 2: /)
})

test('an empty list has no URLs', () => {
  expect(sourcesOf('')).toEqual([])
  expect(sourcesOf('\n\n')).toEqual([])
})

test('a part of a list has the sources from one position to before another', () => {
  const sources = readUrlList('# a comment\nhttp://a/1\nhttp://a/2\n\nhttp://a/3\ttwo.txt\nhttp://a/4')
  expect(sources.length).toBe(4)
  expect(sources.slice(1, 3).map(({ url }) => url)).toEqual(['http://a/2', 'http://a/3'])
  expect(sources.slice(3, 9).map(({ url }) => url)).toEqual(['http://a/4'])
})
