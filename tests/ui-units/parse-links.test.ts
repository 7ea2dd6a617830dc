import { describe, expect, test } from 'bun:test'
import {
  parseLinks,
  withoutDuplicates,
  withoutProblems,
  withSchemes,
} from '../../ui/src/new-archive/parse-links.ts'
import { growth, MAX_GROWTH } from '../support/cpu-time.ts'

const A = 'https://a.test/one.pdf'
const B = 'https://b.test/two.pdf'

describe('parseLinks finds', () => {
  test.each([
    ['one link per line', `${A}\n${B}`, [A, B]],
    ['several links in one line', `${A} ${B}`, [A, B]],
    ['a link among empty lines and spaces', `\n  ${A}  \n\n\t\n`, [A]],
    ['links in lines that end with CRLF', `${A}\r\n${B}\r\n`, [A, B]],
    ['links in brackets and quotes', `<${A}>\n"${B}"\n(${A})`, [A, B, A]],
    ['links before a comma or a semicolon', `${A},\n${B};`, [A, B]],
    ['links in a sentence', `See ${A} and ${B}, please`, [A, B]],
    ['a link at the end of a sentence', `It is at ${A}.`, [A]],
    ['links in parentheses in a sentence', `The report (${A}) and more (see ${B}).`, [A, B]],
    ['a link that contains parentheses', 'https://a.test/Bag_(unit)', ['https://a.test/Bag_(unit)']],
    ['a link that contains spaces', 'https://a.test/annual report.pdf', ['https://a.test/annual report.pdf']],
    ['a link that contains a comma', 'https://a.test/map?at=1,2', ['https://a.test/map?at=1,2']],
    ['the same link twice', `${A}\n${A}`, [A, A]],
    ['a scheme in capitals', 'HTTPS://a.test/X', ['HTTPS://a.test/X']],
  ])('%s', (_, text, urls) => {
    const parsed = parseLinks(text)
    expect(parsed.links.map(({ url }) => url)).toEqual(urls)
    expect(parsed.problems).toEqual([])
  })

  test('the number of links that repeat an earlier one', () => {
    expect(parseLinks(`${A}\n${B}\n${A}\n${A}`).duplicates).toBe(2)
  })
})

describe('A file name is read', () => {
  test.each([
    ['after a comma and a space', `${A}, Annual report.pdf`, 'Annual report.pdf'],
    ['after a tab', `${A}\treport.pdf`, 'report.pdf'],
    ['with its folders', `${A}, reports/2026/annual.pdf`, 'reports/2026/annual.pdf'],
    ['from quotes', `${A}, "report.pdf"`, 'report.pdf'],
  ])('%s', (_, text, filename) => {
    expect(parseLinks(text).links).toEqual([{ url: A, filename }])
  })

  test('from the folder and name columns of a table', () => {
    const table = `name,url,folder\nfirst.pdf,${A},"Papers, old"\n,${B},Papers`
    expect(parseLinks(table).links).toEqual([
      { url: A, filename: 'Papers, old/first.pdf' },
      { url: B, filename: null },
    ])
  })

  test('but not if it is another link', () => {
    expect(parseLinks(`${A}, ${B}`).links).toEqual([
      { url: A, filename: null },
      { url: B, filename: null },
    ])
  })
})

describe('A line that is not a valid link gets a reason', () => {
  test.each([
    ['ftp://a.test/x', 'Only http and https can be fetched, not ftp', false],
    ['javascript:alert(1)', 'Only http and https can be fetched, not javascript', false],
    ['a.test/x', 'Lacks https://', true],
    ['localhost.test:8080/x', 'Lacks https://', true],
    ['hello', 'Not a link', false],
    ['https://', 'Not a link', false],
  ])('%s: %s', (text, reason, isSchemeMissing) => {
    expect(parseLinks(`${A}\n${text}`)).toMatchObject({
      links: [{ url: A }],
      problems: [{ line: 2, text, reason, isSchemeMissing }],
    })
  })

  test('a link of more than 8,192 characters: it is too long', () => {
    const longest = `https://a.test/${'x'.repeat(8_177)}`
    expect(longest).toHaveLength(8_192)
    expect(parseLinks(longest).problems).toEqual([])
    expect(parseLinks(`${longest}x`).problems).toMatchObject([{ reason: 'Longer than 8,192 characters' }])
  })
})

describe('The text is fixed', () => {
  test('by removing only the lines with problems', () => {
    expect(withoutProblems(`${A}\nhello\n\n${B}`)).toBe(`${A}\n\n${B}`)
  })

  test('by adding https:// where it is missing', () => {
    expect(withSchemes(`a.test/x\n${B}\nb.test, B.html`)).toBe(
      `https://a.test/x\n${B}\nhttps://b.test, B.html`,
    )
  })

  test('by keeping only the first of duplicate links', () => {
    expect(withoutDuplicates(`${A}\n${B} ${A}\n${A}\n# a note`)).toBe(`${A}\n${B}\n# a note`)
  })

  test('in a table as well', () => {
    const table = `url;name\na.test/x;first\n${B};second\n${B};third`
    expect(withSchemes(table)).toBe(`url;name\nhttps://a.test/x;first\n${B};second\n${B};third`)
    expect(withoutDuplicates(table)).toBe(`url;name\na.test/x;first\n${B};second`)
  })

  test('but stays unchanged if it has no problems', () => {
    const text = `  ${A},  name.pdf \n\n<${B}>\n`
    expect(withSchemes(text)).toBe(text)
    expect(withoutDuplicates(text)).toBe(text)
    expect(withoutProblems(text)).toBe(text)
  })
})

test('parseLinks takes time in proportion to the number of lines', () => {
  const read = (count: number) => {
    const text = Array.from({ length: count }, (_, index) => `https://a.test/${index}/photo.jpg`).join('\n')
    expect(parseLinks(text).links).toHaveLength(count)
  }
  expect(growth(8_000, read)).toBeLessThan(MAX_GROWTH)
})
