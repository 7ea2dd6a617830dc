import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { filenameOf } from '../../../server/fetching/content/content-disposition.ts'

/** The header as sent in UTF-8, with one character per byte. */
const asSent = (header: string) => Buffer.from(header, 'utf8').toString('latin1')

describe('the file name of a Content-Disposition header', () => {
  test.each([
    ['attachment; filename="a.txt"', 'a.txt'],
    ['attachment; filename=a.txt', 'a.txt'],
    ['inline; filename="a.txt"', 'a.txt'],
    ['ATTACHMENT; FILENAME="a.txt"', 'a.txt'],
    ['attachment;filename="a.txt";size=5', 'a.txt'],
    ['attachment; size=5; filename="a.txt"', 'a.txt'],
    ['attachment; filename="a; b.txt"', 'a; b.txt'],
    ['attachment; filename="a=b.txt"', 'a=b.txt'],
    ['attachment; filename="say \\"hi\\".txt"', 'say "hi".txt'],
    ['attachment; filename="back\\\\slash.txt"', 'back\\slash.txt'],
    ['attachment; filename="a%20b.txt"', 'a%20b.txt'],
    ['attachment; filename="../../etc/passwd"', '../../etc/passwd'],
    ['attachment; filename="=?UTF-8?B?YQ==?="', '=?UTF-8?B?YQ==?='],
    [asSent('attachment; filename="日本.txt"'), '日本.txt'],
    ['attachment; filename="caf\u00E9.txt"', 'café.txt'],
  ])('%s', (header, name) => {
    expect(filenameOf(header)).toBe(name)
  })

  test.each([
    'attachment',
    '',
    ';;;',
    '=',
    'attachment; filename',
    'attachment; filename=',
    'attachment; filename=""',
    'attachment; foofilename="a.txt"',
    'attachment; x="; filename=a.txt"',
    'filename',
    'form-data; name="filename"',
  ])('%p has no name', (header) => {
    expect(filenameOf(header)).toBeNull()
  })
})

describe('filename* (RFC 8187) has precedence over filename', () => {
  test.each([
    ["attachment; filename*=UTF-8''%e2%82%ac%20rates.txt", '€ rates.txt'],
    ['attachment; filename="b.txt"; filename*=UTF-8\'\'a.txt', 'a.txt'],
    ["attachment; filename*=UTF-8''a.txt; filename=b.txt", 'a.txt'],
    ["attachment; filename*=utf-8'en-GB'a.txt", 'a.txt'],
    ["attachment; filename*=utf8''a.txt", 'a.txt'],
    ["attachment; filename*=iso-8859-1'en'%A3%20rates.txt", '£ rates.txt'],
    ["attachment; filename*=UTF-8''it's.txt", "it's.txt"],
    ["attachment; filename*=GBK''%C4%E3%BA%C3.txt", '你好.txt'],
    ["attachment; filename*=gb2312'zh'%C4%E3%BA%C3.txt", '你好.txt'],
    ["attachment; filename*=Shift_JIS'ja'%93%FA%96%7B.txt", '日本.txt'],
    ["attachment; filename*=KOI8-R''%C4%C1.txt", 'да.txt'],
    ['attachment; filename*="UTF-8\'\'a%20b.txt"', 'a b.txt'],
    ["attachment; filename*=UTF-8''a b.txt", 'a b.txt'],
    [asSent("attachment; filename*=UTF-8''日本%20.txt"), '日本 .txt'],
  ])('%s', (header, name) => {
    expect(filenameOf(header)).toBe(name)
  })

  test.each([
    ['bytes that are not UTF-8', "UTF-8''%ff.txt"],
    ['an unknown charset', "KLINGON''%ff.txt"],
    ['bytes that are invalid in their charset', "GBK''%ff.txt"],
    ['no charset', 'a.txt'],
    ['only one quote', "UTF-8'a.txt"],
    ['a broken escape', "UTF-8''%zz.txt"],
    ['an escape cut short', "UTF-8''a%2"],
    ['an empty name', "UTF-8''"],
  ])('unless it is invalid: %s', (_, value) => {
    expect(filenameOf(`attachment; filename*=${value}; filename=plain.txt`)).toBe('plain.txt')
    expect(filenameOf(`attachment; filename*=${value}`)).toBeNull()
  })
})

describe('common malformations are understood', () => {
  test.each([
    ['single quotes', "attachment; filename='single.pdf'", 'single.pdf'],
    ['an apostrophe', "attachment; filename=it's.pdf", "it's.pdf"],
    ['single quotes in quotes', 'attachment; filename="\'a\'.pdf"', "'a'.pdf"],
    ['escaped UTF-8 in the plain form', 'attachment; filename="%E4%BD%A0%20%e5%a5%bd.txt"', '你 好.txt'],
    ['escaped UTF-8 without quotes', 'attachment; filename=%E4%BD%A0.txt', '你.txt'],
    ['escapes that are not UTF-8', 'attachment; filename="%C4%E3.txt"', '%C4%E3.txt'],
    ['a percent sign beside escapes', 'attachment; filename="100% %E4%BD%A0.txt"', '100% %E4%BD%A0.txt'],
    ['spaces without quotes', 'attachment; filename=my own file.txt ; size=5', 'my own file.txt'],
    ['no disposition type', 'filename="a.txt"', 'a.txt'],
    ['spaces around =', 'attachment; filename = "a.txt"', 'a.txt'],
    ['no space after ;', 'attachment;filename=a.txt', 'a.txt'],
    ['a quote that is never closed', 'attachment; filename="a.txt', 'a.txt'],
    ['a backslash at the end', 'attachment; filename="a.txt\\', 'a.txt'],
    ['text after the quotes', 'attachment; filename="a.txt"b; size=5', 'a.txt'],
    ['the same parameter twice', 'attachment; filename="a.txt"; filename="b.txt"', 'a.txt'],
    ['the header twice', 'attachment; filename="a.txt", attachment; filename="b.txt"', 'a.txt'],
    ['empty parameters', 'attachment;; ;filename="a.txt";', 'a.txt'],
  ])('%s', (_, header, name) => {
    expect(filenameOf(header)).toBe(name)
  })

  test('any header is parsed without an error', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.constantFrom('filename', '*', '=', ';', '"', '\\', "'", '%', 'UTF-8'), fc.string()),
        ),
        (parts) => {
          const name = filenameOf(parts.join(''))
          expect(name === null || name.length > 0).toBe(true)
        },
      ),
    )
  })

  test('a quoted name is read back unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (name) => {
        fc.pre(name.isWellFormed())
        const quoted = name.replace(/["\\]/g, '\\$&')
        expect(filenameOf(asSent(`attachment; filename="${quoted}"`))).toBe(name)
        expect(filenameOf(`attachment; filename*=UTF-8''${encodeURIComponent(name)}`)).toBe(name)
      }),
    )
  })
})
