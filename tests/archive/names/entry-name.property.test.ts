import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  likelyEntryName,
  maxFolders,
  numberDuplicates,
  numberingRoomBytes,
} from '../../../server/archive/names/entry-name.ts'

const byteLength = (text: string) => new TextEncoder().encode(text).length
const folded = (name: string) => name.normalize('NFC').toUpperCase().toLowerCase()

/** Text that combines parts that are known to cause problems with random characters. */
const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          '/',
          '\\',
          '.',
          '..',
          ' ',
          ':',
          'C:',
          'c:\\',
          '~',
          '%2f',
          '%5C',
          '%00',
          '%E9',
          '%',
          '.tar.gz',
          '.txt',
        ],
        ...[
          '\u0000',
          '\u001f',
          '\u0080',
          '\u202e',
          '\u2066',
          '\u200f',
          '\u0301',
          '\u0316',
          '\ud800',
          '\udc00',
        ],
        ...['CON', 'nul', 'COM1', 'lpt³', '(2)', ' (2)', 'ß', 'ﬁ', 'Σ', 'ς', 'İ', 'ΐ', '가', 'e\u0301', '😀'],
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.string({ maxLength: 4 }),
      fc.constantFrom('a', 'ä', '😀', '\u0300', '.', ' ', ':').map((text) => text.repeat(200)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

const source = fc.record({
  url: fc
    .oneof(
      hostileText.map((path) => `https://h.example/${path}`),
      fc.webUrl(),
      hostileText,
    )
    .map((text) => URL.parse(text)),
  filename: fc.option(hostileText),
})

const response = fc.option(
  fc.record({
    headerName: fc.option(hostileText),
    contentType: fc.option(fc.oneof(fc.constantFrom('text/html', 'application/pdf', ';', ''), fc.string())),
  }),
)

function expectSafe(name: string): void {
  expect(name).toBe(name.normalize('NFC'))
  expect(name.isWellFormed()).toBe(true)
  expect(name).not.toMatch(/[<>:"|?*\\\p{Control}\p{Bidi_Control}]/u)
  const segments = name.split('/')
  expect(segments.length).toBeLessThanOrEqual(maxFolders + 1)
  for (const segment of segments) {
    expect(segment).not.toBe('')
    expect(segment).not.toMatch(/[. ]$/)
    expect(segment).not.toMatch(/^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[1-9¹²³]) *(\.|$)/i)
    expect(byteLength(segment)).toBeLessThanOrEqual(255)
  }
}

describe('for any client name, URL and response', () => {
  test('a likely name is a relative path of safe segments', () => {
    fc.assert(
      fc.property(source, response, (anySource, anyResponse) => {
        expectSafe(likelyEntryName(anySource, anyResponse))
      }),
      { numRuns: 2_000 },
    )
  })

  test('a likely name, used as an explicit name, stays the same', () => {
    fc.assert(
      fc.property(source, response, (anySource, anyResponse) => {
        const name = likelyEntryName(anySource, anyResponse)
        expect(likelyEntryName({ url: null, filename: name }, null)).toBe(name)
      }),
      { numRuns: 1_000 },
    )
  })

  test('numbered names are safe, unique, differ from all folders and fit into their local headers', () => {
    const few = fc.constantFrom('a', 'A', 'a/a', 'a (2)', 'a (3)/A', 'A.txt', 'a.txt', 'a (2).txt', 'b/a.TXT')
    const long = fc
      .tuple(fc.constantFrom('x', '😀', 'é'), fc.nat(300))
      .map(([unit, count]) => unit.repeat(count))
    const filename = fc.oneof({ weight: 3, arbitrary: few }, long, hostileText)
    fc.assert(
      fc.property(fc.array(filename, { maxLength: 40 }), (filenames) => {
        const likely = filenames.map((name) =>
          likelyEntryName({ url: URL.parse('https://h.example/a'), filename: name }, null),
        )
        const names = numberDuplicates(likely)
        expect(names).toHaveLength(likely.length)
        expect(new Set(names.map(folded)).size).toBe(names.length)
        const folders = new Set(names.flatMap(foldersOf))
        for (const [index, name] of names.entries()) {
          expectSafe(name)
          expect(folders.has(folded(name))).toBe(false)
          expect(byteLength(name) - byteLength(likely[index] ?? '')).toBeLessThanOrEqual(numberingRoomBytes)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('names that need no number stay unchanged', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(1_000), { maxLength: 40 }), (numbers) => {
        const names = numbers.map((number) => `folder ${number % 7}/file ${number}.txt`)
        expect(numberDuplicates(names)).toEqual(names)
      }),
    )
  })
})

/** `a/b/c` is in the folders `a` and `a/b`. */
function foldersOf(name: string): string[] {
  const segments = name.split('/')
  return segments.slice(1).map((_, index) => folded(segments.slice(0, index + 1).join('/')))
}
