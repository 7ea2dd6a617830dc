import { expect, test } from 'bun:test'
import { decodeText } from '../../server/text/decode-text.ts'

const TEXT = 'http://a/Bücher – 図書.pdf\r\n'

test.each<[string, Uint8Array]>([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${TEXT}`)],
  ['UTF-16 with a byte order mark', Buffer.from(`\uFEFF${TEXT}`, 'utf16le')],
  ['UTF-16 with the high byte first', Buffer.from(`\uFEFF${TEXT}`, 'utf16le').swap16()],
])('a text file may be %s', (_, bytes) => {
  expect(decodeText(bytes)).toBe(TEXT)
})

test('what is not UTF-8 is Windows-1252', () => {
  const bytes = [...'B\xfccher \x96 5 \x80'].map((character) => character.charCodeAt(0))
  expect(decodeText(Uint8Array.from(bytes))).toBe('Bücher – 5 €')
})

test('an empty file is an empty text', () => {
  expect(decodeText(new Uint8Array(0))).toBe('')
})
