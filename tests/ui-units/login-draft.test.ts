import { expect, test } from 'bun:test'
import { headerOf, type LoginDraft, originOf } from '../../ui/src/sites/login-draft.ts'

test.each<[LoginDraft['kind'], string, string, string, string]>([
  ['password', 'ada', 'pass:word', 'Authorization', `Basic ${btoa('ada:pass:word')}`],
  ['password', 'Jürgen', 'geheim ß', 'Authorization', 'Basic SsO8cmdlbjpnZWhlaW0gw58='],
  ['token', '', ' abc ', 'Authorization', 'Bearer abc'],
  ['token', '', 'Bearer abc', 'Authorization', 'Bearer abc'],
  ['token', '', 'Authorization: bearer abc', 'Authorization', 'Bearer abc'],
  ['cookie', '', 'Cookie: a=b; c=d\n', 'Cookie', 'a=b; c=d'],
  ['other', ' X-API-Key ', 'k', 'X-API-Key', 'k'],
])('%s of %p and %p is the header %s', (kind, name, value, expectedName, expectedValue) => {
  expect(headerOf({ kind, name, value })).toEqual({ name: expectedName, value: expectedValue })
})

test.each([
  ['https://example.org', 'https://example.org'],
  ['https://example.org/a/b?c#d', 'https://example.org'],
  ['http://NAS:8080/x', 'http://nas:8080'],
  ['example.org/files', 'https://example.org'],
  ['localhost:8080', 'https://localhost:8080'],
  ['ftp://example.org/x', 'ftp://example.org'],
  ['not an address', 'not an address'],
  ['', ''],
])('the origin of %p is %p', (text, expected) => {
  expect(originOf(text)).toBe(expected)
})
