import { expect, test } from 'bun:test'
import { readUrlList } from '../../../server/cli/sources/url-list.ts'
import type { Source } from '../../../server/engine/job-order.ts'

function sourcesOf(text: string): readonly Source[] {
  const { sources, unfetchable } = readUrlList(text)
  expect(unfetchable).toEqual([])
  return sources
}

function urlsOf(text: string): string[] {
  return sourcesOf(text).map(({ url }) => url)
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

test('after a second tab, a list may give the SHA-256 of a file, whose name may be empty', () => {
  const digest = 'aB'.repeat(32)
  const sha256 = digest.toLowerCase()
  const list = `http://a/1\tone.txt\tsha256:${digest}\nhttp://a/2\t\tsha256:${digest}\r\nhttp://a/3 http://a/4\t\tsha256:${digest}`
  expect(sourcesOf(list)).toEqual([
    { url: 'http://a/1', filename: 'one.txt', sha256 },
    { url: 'http://a/2', filename: null, sha256 },
    { url: 'http://a/3', filename: null },
    { url: 'http://a/4', filename: null, sha256 },
  ])
})

test.each(['sha256:', 'sha256:abc', `sha256:${'a'.repeat(65)}`, `sha256:${'g'.repeat(64)}`])(
  'a line with the digest %s, which no file can have, is told and left out',
  (digest) => {
    const { sources, unfetchable } = readUrlList(`http://a/1\tone.txt\t${digest}\nhttp://a/2`)
    expect(sources).toEqual([{ url: 'http://a/2', filename: null }])
    expect(unfetchable).toEqual(['line 1: expected 64 hexadecimal digits after sha256:'])
  },
)

test('lines may end with CR LF, and the last one needs no end', () => {
  expect(sourcesOf('http://a/1\r\nhttp://a/2\ttwo.txt\r\nhttp://a/3')).toEqual([
    { url: 'http://a/1', filename: null },
    { url: 'http://a/2', filename: 'two.txt' },
    { url: 'http://a/3', filename: null },
  ])
})

test('empty lines and lines that begin with # are skipped, but counted', () => {
  expect(sourcesOf('# a comment\n\n \t \nhttp://a/1\n')).toEqual([{ url: 'http://a/1', filename: null }])
  const { unfetchable } = readUrlList('# a comment\n\nnot a URL\n')
  expect(unfetchable).toEqual([expect.stringMatching(/^line 3: expected an http or https URL/)])
})

test('a line that begins with a tab has no URL', () => {
  const { sources, unfetchable } = readUrlList('http://a/1\n\tone.txt\n')
  expect(sources).toHaveLength(1)
  expect(unfetchable).toEqual([expect.stringMatching(/^line 2: /)])
})

test('an empty list has no URLs', () => {
  expect(sourcesOf('')).toEqual([])
  expect(sourcesOf('\n\n')).toEqual([])
})

test('lines may end with CR alone, as old programs of Macintosh wrote them', () => {
  expect(urlsOf('http://a/1\rhttp://a/2\rhttp://a/3\r')).toEqual(['http://a/1', 'http://a/2', 'http://a/3'])
})

test('several URLs on a line, with spaces between them, are as many sources', () => {
  expect(sourcesOf('http://a/1 https://b/2   HTTP://c/3\tthree.txt')).toEqual([
    { url: 'http://a/1', filename: null },
    { url: 'https://b/2', filename: null },
    { url: 'HTTP://c/3', filename: 'three.txt' },
  ])
})

test('the spaces of a URL stay in it', () => {
  expect(urlsOf('http://a/My File (1).pdf')).toEqual(['http://a/My File (1).pdf'])
})

test('a URL after a tab is a mirror of the first one, as in lists for aria2, and never a name', () => {
  const { sources, mirrors } = readUrlList(
    'http://a/1.iso\thttp://mirror/1.iso\thttps://other/1.iso\nhttp://a/2',
  )
  expect(sources).toEqual([
    { url: 'http://a/1.iso', filename: null },
    { url: 'http://a/2', filename: null },
  ])
  expect(mirrors).toEqual([expect.stringMatching(/^line 1: only the first URL is fetched/)])
})

test('a line with another scheme is told by its number, and the others are there', () => {
  const { sources, unfetchable } = readUrlList('http://a/1\nftp://user:secret@b/2\x1b[31m\nhttp://a/3')
  expect(sources.map(({ url }) => url)).toEqual(['http://a/1', 'http://a/3'])
  expect(unfetchable).toHaveLength(1)
  expect(unfetchable[0]).toMatch(/^line 2: expected an http or https URL .* Holdall can't fetch ftp: ftp:/)
  expect(unfetchable[0]).not.toContain('secret')
  expect(unfetchable[0]).not.toContain('\x1b')
})
