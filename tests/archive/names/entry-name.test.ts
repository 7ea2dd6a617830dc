import { describe, expect, test } from 'bun:test'
import { likelyEntryName, maxFolders, type NamingResponse } from '../../../server/archive/names/entry-name.ts'

const byteLength = (text: string) => new TextEncoder().encode(text).length

function fromExplicit(filename: string, response: NamingResponse | null = null): string {
  return likelyEntryName({ url: URL.parse('https://files.example/from-url.bin'), filename }, response)
}

function fromHeader(headerName: string, contentType: string | null = null): string {
  return likelyEntryName(
    { url: URL.parse('https://files.example/from-url.bin'), filename: null },
    { headerName, contentType },
  )
}

function fromUrl(url: string, contentType: string | null = null): string {
  return likelyEntryName({ url: URL.parse(url), filename: null }, { headerName: null, contentType })
}

describe('the source of a name', () => {
  const url = URL.parse('https://files.example/from-url.bin')

  test('is the explicit name, if there is one', () => {
    const response = { headerName: 'from-header.bin', contentType: null }
    expect(likelyEntryName({ url, filename: 'explicit.bin' }, response)).toBe('explicit.bin')
  })

  test('or else the name in Content-Disposition', () => {
    const response = { headerName: 'from-header.bin', contentType: null }
    expect(likelyEntryName({ url, filename: null }, response)).toBe('from-header.bin')
  })

  test('or else the last path segment of the submitted URL', () => {
    expect(fromUrl('https://files.example/from-url.bin')).toBe('from-url.bin')
  })

  test('or else the host', () => {
    expect(fromUrl('https://files.example/')).toBe('files.example')
  })

  test.each(['', '/', '//', '\\'])(
    'an explicit name %p names nothing, so the next source counts',
    (filename) => {
      expect(likelyEntryName({ url, filename }, { headerName: 'b.txt', contentType: null })).toBe('b.txt')
    },
  )

  test.each(['', '/', '\\'])('a header name %p names nothing, so the URL counts', (headerName) => {
    expect(fromHeader(headerName)).toBe('from-url.bin')
  })

  test('is a default name for text that is not a URL', () => {
    expect(fromUrl('no url')).toBe('_')
  })
})

describe('an explicit name', () => {
  test.each([
    ['docs/2024/a.txt', 'docs/2024/a.txt'],
    ['docs\\2024\\a.txt', 'docs/2024/a.txt'],
    ['/etc/passwd', 'etc/passwd'],
    ['//server/share/x', 'server/share/x'],
    ['\\\\server\\share\\x', 'server/share/x'],
    ['../../etc/passwd', 'etc/passwd'],
    ['..\\..\\x', 'x'],
    ['a/./b/../c', 'a/b/c'],
    ['a//b/', 'a/b'],
    ['C:\\x', 'x'],
    ['C:/x', 'x'],
    ['c:\\..\\x', 'x'],
    ['C:/D:/x', 'D_/x'],
    ['a/C:/x', 'a/C_/x'],
    ['C:x', 'C_x'],
    ['..', '_'],
    ['../..', '_'],
    ['a/.../b', 'a/_/b'],
    ['a/ /b', 'a/_/b'],
    ['a /b. /c', 'a/b/c'],
  ])('%p is packed as %p', (filename, name) => {
    expect(fromExplicit(filename)).toBe(name)
  })

  test('keeps its outermost folders when it has too many', () => {
    const folders = Array.from({ length: 100 }, (_, index) => `d${index}`)
    const segments = fromExplicit([...folders, 'a.txt'].join('/')).split('/')
    expect(segments).toEqual([...folders.slice(0, maxFolders), 'a.txt'])
  })
})

describe('a name from a header', () => {
  test.each([
    ['../../a/b.txt', 'b.txt'],
    ['a\\b.txt', 'b.txt'],
    ['C:\\Users\\me\\b.txt', 'b.txt'],
    ['b.txt/', 'b.txt'],
    ['a/..', 'a'],
    ['..', '_'],
  ])('is its last path segment: %p gives %p', (headerName, name) => {
    expect(fromHeader(headerName)).toBe(name)
  })
})

describe('a name from the URL', () => {
  test.each([
    ['https://h.example/a/b.pdf?x=y/z.txt#f/g', 'b.pdf'],
    ['https://h.example/a/', 'a'],
    ['https://h.example/a//', 'a'],
    ['https://h.example/a%20b.txt', 'a b.txt'],
    ['https://h.example/%E6%97%A5%E6%9C%AC.txt', '日本.txt'],
    ['https://h.example/日本.txt', '日本.txt'],
    ['https://h.example/caf%E9.txt', 'caf%E9.txt'],
    ['https://h.example/100%.txt', '100%.txt'],
    ['https://h.example/100%25.txt', '100%.txt'],
    ['https://h.example/%2525.txt', '%25.txt'],
    ['https://h.example/x/..%2F..%2Fetc%2Fpasswd', 'passwd'],
    ['https://h.example/a%5Cb.txt', 'b.txt'],
    ['https://h.example/a%2F', 'a'],
    ['https://h.example/C%3A%5Cx', 'x'],
    ['https://h.example/a:b', 'a_b'],
    ['https://h.example/%00.txt', '_.txt'],
    ['https://h.example/...', '_'],
    ['https://h.example/%20', '_'],
    ['https://h.example/..%2F..', '_'],
    ['https://h.example:8080/', 'h.example'],
    ['https://user:secret@h.example', 'h.example'],
    ['http://[::1]/', '[__1]'],
  ])('%s is %p', (url, name) => {
    expect(fromUrl(url)).toBe(name)
  })
})

describe('an extension from the content type', () => {
  test.each([
    ['https://h.example/report', 'application/pdf', 'report.pdf'],
    ['https://h.example/report', 'Text/HTML; charset=utf-8', 'report.html'],
    ['https://h.example/report.php', 'text/html', 'report.php'],
    ['https://h.example/report.aspx?id=1', 'application/pdf', 'report.pdf'],
    ['https://h.example/image.php', 'image/png', 'image.png'],
    ['https://h.example/file.php', 'application/octet-stream', 'file.php'],
    ['https://h.example/report', 'application/octet-stream', 'report'],
    ['https://h.example/report', 'application/x-no-such-thing', 'report'],
    ['https://h.example/report', null, 'report'],
    ['https://h.example/v1.2', 'text/html', 'v1.2.html'],
    ['https://h.example/mr. smith', 'text/plain', 'mr. smith.txt'],
    ['https://h.example/a.verylongending', 'text/plain', 'a.verylongending.txt'],
    ['https://h.example/song.mp3', 'text/plain', 'song.mp3'],
    ['https://h.example/.htaccess', 'text/plain', '.htaccess'],
    ['https://h.example/...', 'text/plain', '_.txt'],
    ['http://127.0.0.1:8080/', 'text/html', '127.0.0.1.html'],
    ['https://example.com/', 'text/html', 'example.com.html'],
    ['https://example.com/', null, 'example.com'],
  ])('%s as %s is %p', (url, contentType, name) => {
    expect(fromUrl(url, contentType)).toBe(name)
  })

  test('is also added to a name from a header and to an explicit name', () => {
    expect(fromHeader('report', 'application/pdf')).toBe('report.pdf')
    expect(fromHeader('source.php', 'application/pdf')).toBe('source.php')
    expect(fromExplicit('docs.d/report', { headerName: null, contentType: 'application/pdf' })).toBe(
      'docs.d/report.pdf',
    )
  })

  test('is not added before there is a response', () => {
    expect(likelyEntryName({ url: URL.parse('https://h.example/report'), filename: null }, null)).toBe(
      'report',
    )
  })
})

describe('a safe segment', () => {
  test.each([
    ['a<b>c:d"e|f?g*h', 'a_b_c_d_e_f_g_h'],
    ['a\u0000b\tc\u007fd\u0085e', 'a_b_c_d_e'],
    ['invoice\u202Efdp.exe', 'invoice_fdp.exe'],
    ['a\u200Eb\u200Fc\u061Cd\u2066e\u2069f', 'a_b_c_d_e_f'],
    ['a\uD800b', 'a\uFFFDb'],
    ['cafe\u0301.txt', 'café.txt'],
    ['\u212B.txt', 'Å.txt'],
    ['a.txt. . ', 'a.txt'],
    ['. .', '_'],
    ['.htaccess', '.htaccess'],
    ['..hidden', '..hidden'],
    [' a', ' a'],
  ])('%p becomes %p', (filename, name) => {
    expect(fromExplicit(filename)).toBe(name)
  })

  test.each([
    ['CON', '_CON'],
    ['con.txt', '_con.txt'],
    ['Aux .tar.gz', '_Aux .tar.gz'],
    ['com1', '_com1'],
    ['LPT\u00B2.log', '_LPT\u00B2.log'],
    ['CONOUT$', '_CONOUT$'],
    ['nul/prn/a', '_nul/_prn/a'],
    ['nul. ', '_nul'],
    ['console', 'console'],
    ['com10', 'com10'],
    ['.con', '.con'],
    [`nul${' '.repeat(300)}!`, '_nul'],
    [`nul${' '.repeat(300)}!.txt`, `_nul${' '.repeat(247)}.txt`],
    [`nul.${'a'.repeat(300)}`, `_nul.${'a'.repeat(250)}`],
  ])('is not a Windows device name: %p becomes %p', (filename, name) => {
    expect(fromExplicit(filename)).toBe(name)
  })

  test.each([
    ['plain letters', `${'a'.repeat(300)}.tar.gz`, `${'a'.repeat(248)}.tar.gz`],
    ['characters of four bytes', `${'😀'.repeat(80)}.jpeg`, `${'😀'.repeat(62)}.jpeg`],
    ['decomposed characters', `${'e\u0301'.repeat(200)}.md`, `${'é'.repeat(126)}.md`],
    ['no extension', 'a'.repeat(300), 'a'.repeat(255)],
    ['a space at the cut', `${'a'.repeat(254)} ${'b'.repeat(50)}`, 'a'.repeat(254)],
    ['no more than the maximum', 'a'.repeat(255), 'a'.repeat(255)],
  ])('is cut to 255 bytes, extension kept and no character split: %s', (_, filename, name) => {
    expect(byteLength(name)).toBeLessThanOrEqual(255)
    expect(fromExplicit(filename)).toBe(name)
  })

  test.each([
    ['a letter', 'b', 'b', 30],
    ['a letter that NFC writes as a letter and a mark', '\u09DC', '\u09A1\u09BC', 29],
    ['a mark that NFC writes as two', 'b\u0344', 'b\u0308\u0301', 28],
  ])(
    'keeps thirty combining marks of a character, as a name that is made safe twice does: %s',
    (_, letter, nfc, count) => {
      const name = `${nfc}${'\u0300'.repeat(count)}`
      expect(fromExplicit(`${letter}${'\u0300'.repeat(40)}`)).toBe(name.normalize('NFC'))
      expect(fromExplicit(name)).toBe(name.normalize('NFC'))
    },
  )

  test('is also cut in a folder, and to make room for an added extension', () => {
    const response = { headerName: null, contentType: 'text/html' }
    const name = `${'d'.repeat(255)}/${'a'.repeat(250)}.html`
    expect(fromExplicit(`${'d'.repeat(400)}/${'a'.repeat(400)}`, response)).toBe(name)
  })
})
