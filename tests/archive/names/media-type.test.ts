import { describe, expect, test } from 'bun:test'
import { extensionOfMediaType, isTextLike } from '../../../server/archive/names/media-type.ts'

describe('the extension of a content type', () => {
  test.each([
    ['text/html', '.html'],
    ['text/html; charset=utf-8', '.html'],
    [' TEXT/Plain ;charset="a,b"', '.txt'],
    ['text/csv, text/csv', '.csv'],
    ['application/json', '.json'],
    ['application/problem+json', '.json'],
    ['application/soap+xml', '.xml'],
    ['image/svg+xml', '.svg'],
    ['application/epub+zip', '.epub'],
    ['image/jpeg', '.jpg'],
    ['application/x-gzip', '.gz'],
  ])('%p gives %p', (contentType, extension) => {
    expect(extensionOfMediaType(contentType)).toBe(extension)
  })

  test.each([
    ['application/octet-stream'],
    ['application/x-no-such-thing'],
    ['application/x-no-such+thing'],
    ['json'],
    ['constructor'],
    [''],
    [';'],
    [null],
  ])('%p gives no extension', (contentType) => {
    expect(extensionOfMediaType(contentType)).toBe('')
  })
})

describe('text is compressed, all other types are stored', () => {
  test.each([
    'text/plain',
    'text/x-anything',
    'Text/HTML; charset=utf-8',
    'application/json',
    'application/vnd.api+json',
    'application/xml',
    'image/svg+xml',
    'application/javascript',
    'application/x-ndjson',
  ])('%s is text', (contentType) => {
    expect(isTextLike(contentType)).toBe(true)
  })

  test.each([
    'application/octet-stream',
    'application/pdf',
    'application/zip',
    'application/epub+zip',
    'application/wasm',
    'image/png',
    'image/bmp',
    'font/woff2',
    'video/mp4',
    'json',
    '',
    null,
  ])('%p is not text', (contentType) => {
    expect(isTextLike(contentType)).toBe(false)
  })
})
