import { expect, test } from 'bun:test'
import { printable } from '../../server/text/printable.ts'

test('control characters and bidirectional controls are shown, not obeyed', () => {
  expect(printable('a\x1b[2Jb\nc\u202ed')).toBe('a\\u{1b}[2Jb\\u{a}c\\u{202e}d')
})

test.each([
  ['http://user:secret@host/path', 'http://user:***@host/path'],
  ['https://user:a@b:c@host/', 'https://user:***@host/'],
  ['ftp:\\\\user:secret@host/', 'ftp:\\\\user:***@host/'],
  ['http://user@host/', 'http://user@host/'],
  ['http://host/a:b@c', 'http://host/a:b@c'],
  ['host:443', 'host:443'],
])('the password of %s is not shown', (text, shown) => {
  expect(printable(text)).toBe(shown)
})

test('a long text is cut', () => {
  expect(printable('abcdef', 4)).toBe('abcd…')
})
