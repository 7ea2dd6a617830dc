import { expect, test } from 'bun:test'
import {
  asFiles,
  countKinds,
  filterLinks,
  matchOf,
  mayBePage,
} from '../../ui/src/new-archive/chosen-links.ts'

const link = (path: string, text: string, kind: 'document' | 'page' | 'image' = 'document') => ({
  url: `https://a.test/${path}`,
  name: path.split('/').at(-1) ?? '',
  text,
  kind,
})
const links = [link('a/1.pdf', 'First'), link('b/2.pdf', 'Second'), link('about', 'About us', 'page')]

test('Links are filtered by kind, by a part of text or address, and by a pattern', () => {
  const urlsOf = (kind: 'document' | null, text: string) =>
    filterLinks(links, { kind, text }).map(({ text }) => text)
  expect(urlsOf('document', '')).toEqual(['First', 'Second'])
  expect(urlsOf(null, 'ABOUT')).toEqual(['About us'])
  expect(urlsOf(null, '*/b/*')).toEqual(['Second'])
  expect(urlsOf('document', 'about')).toEqual([])
  expect(countKinds(links)).toEqual([
    ['document', 2],
    ['page', 1],
  ])
})

test('What was looked for is a pattern of addresses, if the same links are found by it', () => {
  const matchFor = (text: string) => matchOf(filterLinks(links, { kind: null, text }), text)
  expect(matchFor(' /a/ ')).toBe('*/a/*')
  expect(matchFor('*.pdf')).toBe('*.pdf')
  // In the text of a link.
  expect(matchFor('second')).toBeNull()
  expect(matchFor('')).toBeNull()
})

test.each([
  [link('x?id=1', 'Report'), 'Report'],
  [link('x.pdf', 'Report'), 'Report.pdf'],
  [link('x.pdf', 'report.PDF'), 'report.PDF'],
  [link('x.pdf', 'A/B: c'), 'A-B: c.pdf'],
  [link('x.pdf', ''), null],
  [link('about', 'About us', 'page'), null],
])('A file is named after the text of its link (%#)', (found, filename) => {
  expect(asFiles([found], false)).toEqual([{ kind: 'link', url: found.url, filename }])
})

test('A text that several links have names none of them; files of a listing keep their names', () => {
  const same = [link('a.pdf', 'Download'), link('b.pdf', 'Download')]
  expect(asFiles(same, false).map(({ filename }) => filename)).toEqual([null, null])
  expect(asFiles(same, true).map(({ filename }) => filename)).toEqual(['a.pdf', 'b.pdf'])
})

test.each([
  ['https://a.test', true],
  ['https://a.test/reports', true],
  ['https://a.test/pub/?x=a.pdf', true],
  ['https://a.test/x.php?id=1', true],
  ['https://a.test/feed.xml', true],
  ['https://a.test/x.pdf', false],
  ['https://a.test/v1.2', false],
])('%s may be a page: %p', (url, expected) => {
  expect(mayBePage(url)).toBe(expected)
})
