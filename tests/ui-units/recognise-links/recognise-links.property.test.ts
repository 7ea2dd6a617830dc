import { describe, expect, test } from 'bun:test'
import fc, { array, constantFrom, integer, property, record, string, tuple } from 'fast-check'
import type { Recognised } from '../../../ui/src/links/link.ts'
import { linksAsText } from '../../../ui/src/links/links-as-text.ts'
import { recognisedIn } from '../../../ui/src/links/recognise-links.ts'

/** A link as browsers copy it: without spaces, quotes and brackets, and ending neither as a sentence nor as a file name. */
const url = tuple(
  constantFrom('http://', 'https://', 'HTTPS://'),
  constantFrom('a.test', 'b.test:8080', 'user@c.test', 'xn--bcher-kva.test', '[::1]'),
  array(
    constantFrom(
      '/',
      'a',
      'Z',
      '9',
      '-',
      '_',
      '.',
      '~',
      '%20',
      ',',
      ';',
      '&',
      '=',
      '?',
      '+',
      '@',
      ':',
      '(x)',
      'é',
    ),
    {
      maxLength: 12,
    },
  ).map((parts) => parts.join('')),
).map(([scheme, host, path]) => `${scheme}${host}/${path}-9`)

/** The separators of a table would make its header decide where a link ends. */
const plainUrl = url.filter((link) => !/[,;]/.test(link))

/** What separates links, each with what may stand before and after them. */
const gap = constantFrom(
  '\n',
  '\r\n',
  ' ',
  '\t',
  '\n\n',
  ', ',
  '; ',
  '" "',
  "' '",
  '> <',
  ' and ',
  '.\n',
  ' (3 MB)\n',
  ' # note\n',
  ') (',
  '` `',
  ' | ',
  '\n- ',
  '</p>\n<p>',
  '"], ["',
  '\n> ',
  ': ',
  ' - ',
  '](',
  '">x</a> <a href="',
  '\u00A0',
  '。',
)

/** Any text that contains no link, also of the signs that have a meaning around links. */
const noise = array(
  constantFrom(
    'a',
    ' ',
    '\n',
    ',',
    ';',
    '"',
    "'",
    '<',
    '>',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '|',
    '\\',
    '&',
    '=',
    '\t',
    '`',
    '*',
    'name',
    'url',
    '<a href=',
    ':',
  ),
  {
    maxLength: 20,
  },
).map((parts) => parts.join(''))

describe('No link is lost, joined or changed', () => {
  test('whatever separates the links', () => {
    fc.assert(
      property(array(tuple(url, gap), { minLength: 1, maxLength: 8 }), (parts) => {
        const urls = parts.map(([link]) => link)
        const found = urlsIn(parts.map(([link, separator]) => link + separator).join(''))
        expect(withoutRepeats(found)).toEqual(withoutRepeats(urls))
      }),
      { numRuns: 3_000 },
    )
  })

  test('in lines of a table, in any order of columns', () => {
    const row = record({
      link: plainUrl,
      number: integer({ min: 1, max: 999 }),
    })
    fc.assert(
      property(
        array(row, { minLength: 2, maxLength: 6 }),
        constantFrom(',', ';', '\t', ' | '),
        constantFrom(true, false),
        (rows, separator, isFirst) => {
          const lines = rows.map(({ link, number }) => {
            const fields = [link, `file ${number}.pdf`]
            return (isFirst ? fields : fields.toReversed()).join(separator)
          })
          const items = recognisedIn(lines.join('\n'))
          expect(items.map((item) => (item.kind === 'link' ? item.url : null))).toEqual(
            rows.map(({ link }) => link),
          )
        },
      ),
      { numRuns: 1_000 },
    )
  })

  test('in JSON of any form', () => {
    fc.assert(
      property(array(url, { minLength: 1, maxLength: 6 }), constantFrom(undefined, 2), (urls, indent) => {
        expect(urlsIn(JSON.stringify(urls, null, indent))).toEqual(urls)
        expect(urlsIn(JSON.stringify({ files: urls.map((link) => ({ link })) }, null, indent))).toEqual(urls)
      }),
      { numRuns: 500 },
    )
  })

  test('among any signs: each one that stands between spaces is found', () => {
    fc.assert(
      property(array(tuple(noise, plainUrl), { minLength: 1, maxLength: 6 }), noise, (parts, end) => {
        const text = parts.map(([before, link]) => `${before} ${link} `).join('') + end
        const found = urlsIn(text)
        for (const [, link] of parts) expect(found).toContain(link)
      }),
      { numRuns: 3_000 },
    )
  })
})

test('Any text is recognised without an error, and its written form gives the same links and names', () => {
  const text = tuple(array(tuple(noise, url, noise), { maxLength: 6 }), string()).map(
    ([parts, end]) => parts.flat().join('') + end,
  )
  fc.assert(
    property(text, (text) => {
      const items = recognisedIn(text)
      expect(linksIn(recognisedIn(linksAsText(items)))).toEqual(linksIn(items))
    }),
    { numRuns: 3_000 },
  )
})

function urlsIn(text: string): string[] {
  return linksIn(recognisedIn(text)).map(({ url }) => url)
}

function linksIn(items: readonly Recognised[]) {
  return items.flatMap((item) => (item.kind === 'link' ? [{ url: item.url, filename: item.filename }] : []))
}

/** A link that only repeats the one before it may be its label, also with a scheme in other case (RFC 3986 section 6.2.2.1). */
function withoutRepeats(urls: readonly string[]): string[] {
  const sameCase = urls.map((link) => link.replace(/^https?:/i, (scheme) => scheme.toLowerCase()))
  return sameCase.filter((link, index) => link !== sameCase[index - 1])
}
