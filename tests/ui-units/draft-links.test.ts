import { expect, test } from 'bun:test'
import type { DraftLink } from '../../ui/src/new-archive/draft-links.ts'
import { folderReader, foldersOf, inFolder, renamed } from '../../ui/src/new-archive/folders.ts'
import { restored } from '../../ui/src/new-archive/restored.ts'

const link = (url: string, filename: string | null = null): DraftLink => ({ kind: 'link', url, filename })

test('A file that is moved keeps its name, also one that nobody has given', () => {
  expect(inFolder(link('https://a.test/x/b%20c.pdf?d'), 'Papers').filename).toBe('Papers/b c.pdf')
  expect(inFolder(link('https://a.test/1', 'old/deep/name.pdf'), 'a/b').filename).toBe('a/b/name.pdf')
  expect(inFolder(link('https://a.test/1', 'old/name.pdf'), '').filename).toBe('name.pdf')
})

test('The folders of a list are offered once each, in the order of the alphabet', () => {
  const names = ['b/1', 'a/c/2', 'b/3', 'top.pdf', null]
  expect(foldersOf(names.map((name) => link('https://a.test', name)))).toEqual(['a/c', 'b'])
})

test('A folder is read as the archive will have it', () => {
  const folderOf = folderReader()
  const folders = [
    'a/b/c.pdf',
    'a\\b\\c.pdf',
    '/a//./b/c.pdf',
    'C:\\a\\c.pdf',
    '../c.pdf',
    'a:?/c.pdf',
    'c.pdf',
    null,
  ]
  expect(folders.map((name) => folderOf(link('https://a.test', name)))).toEqual([
    'a/b',
    'a/b',
    'a/b',
    'a',
    '',
    'a__',
    '',
    '',
  ])
})

test('A name that is typed in a folder stays in it, unless it begins with a slash; without a name, the URL decides', () => {
  const file = link('https://a.test/x.pdf', 'Papers/old.pdf')
  const typed = (name: string, folder = 'Papers') => renamed(file, folder, name).filename
  expect(typed('new.pdf')).toBe('Papers/new.pdf')
  expect(typed('2026/new.pdf')).toBe('Papers/2026/new.pdf')
  expect(typed('2026/')).toBe('Papers/2026/old.pdf')
  expect(typed('/new.pdf')).toBe('new.pdf')
  expect(typed('/Other/')).toBe('Other/old.pdf')
  expect(typed('/')).toBe('old.pdf')
  expect(typed('')).toBe('Papers/x.pdf')
  expect(renamed(link('https://a.test/x.pdf', 'old.pdf'), '', '').filename).toBeNull()
})

test('A change that is taken back leaves later changes as they are', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => link(`https://a.test/${name}`))
  const moved = link('https://a.test/b', 'x/b')
  const added = link('https://a.test/added')
  if (!a || !b || !c || !d) throw new Error('No links')
  expect(restored([a, b, c, d], [a, c], [c, added])).toEqual([b, c, d, added])
  expect(restored([a, b, c], [a, moved, c], [moved, c])).toEqual([b, c])
})
