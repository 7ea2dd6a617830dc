import { describe, expect, test } from 'bun:test'
import { bodyWarning, type ReceivedBody } from '../../../server/engine/bodies/body-warning.ts'
import { MAX_HOSTILE_INPUT_SECONDS, processorSeconds } from '../../support/hostile-input.ts'

const PAGE = '<!DOCTYPE html>\n<html><head><title>Not found</title>'

interface Received {
  readonly url: string
  readonly finalUrl?: string
  readonly filename?: string
  readonly headerName?: string
  readonly entryName?: string
  readonly type?: string | null
  readonly body?: string | Uint8Array
}

function received({ url, type = 'text/html; charset=utf-8', body = PAGE, ...names }: Received): ReceivedBody {
  const submitted = new URL(url)
  const final = new URL(names.finalUrl ?? url)
  const lastSegment = submitted.pathname.slice(submitted.pathname.lastIndexOf('/') + 1)
  const beginning = Buffer.from(body)
  return {
    submitted,
    final,
    filename: names.filename ?? null,
    headerName: names.headerName ?? null,
    entryName: names.entryName ?? names.filename ?? names.headerName ?? lastSegment,
    contentType: type,
    beginning,
    sizeBytes: beginning.length,
  }
}

const warning = (body: Received) => bodyWarning(received(body))

describe('HTML_INSTEAD: a page where the name or the URL says another kind', () => {
  test.each<[string, Received]>([
    ['the URL', { url: 'https://a.test/report.pdf' }],
    ['the URL, of a format without a registered type', { url: 'https://a.test/x/run-7.hdf5' }],
    ['the URL, in capitals and with a query', { url: 'https://a.test/REPORT.PDF?v=2' }],
    [
      'the URL that a redirect leads to',
      { url: 'https://a.test/get/7', finalUrl: 'https://b.test/seven.zip' },
    ],
    ['the name that was asked for', { url: 'https://a.test/get?id=7', filename: '2024/data.tar.gz' }],
    ['the name in the header', { url: 'https://a.test/get.php?id=7', headerName: 'data.csv' }],
    [
      'the media type, which names the entry',
      { url: 'https://a.test/get', type: 'application/pdf', entryName: 'get.pdf' },
    ],
    [
      'the media type, instead of the program',
      { url: 'https://a.test/get.aspx', type: 'application/pdf', entryName: 'get.pdf' },
    ],
    ['labelled application/pdf', { url: 'https://a.test/report.pdf', type: 'application/pdf' }],
    [
      'labelled application/octet-stream',
      { url: 'https://a.test/report.zip', type: 'application/octet-stream' },
    ],
    ['without a type', { url: 'https://a.test/report.zip', type: null }],
    [
      'after a byte order mark and a comment',
      { url: 'https://a.test/a.zip', type: null, body: '\ufeff<!-- cached -->\n<HTML lang="de">' },
    ],
    [
      'without a doctype',
      { url: 'https://a.test/a.jpg', type: 'image/jpeg', body: '\n <script>location="/login"</script>' },
    ],
    [
      'a part of a page that its type calls HTML',
      { url: 'https://a.test/a.zip', body: '<section>No access</section>' },
    ],
    ['a table', { url: 'https://a.test/a.csv' }],
    ['data', { url: 'https://a.test/a.json', type: 'application/json' }],
    ['source code that its type calls HTML', { url: 'https://a.test/README.md' }],
    ['an image in SVG that its type calls HTML', { url: 'https://a.test/logo.svg' }],
  ])('%s', (_, body) => {
    expect(warning(body)?.code).toBe('HTML_INSTEAD')
  })

  test('not for pages, nor where no name says a kind', () => {
    const urls = [
      'a.html',
      'a.HTM',
      'a.xhtml',
      'a.php',
      'a.aspx',
      'a.jsp',
      'a',
      '',
      'a/',
      'v1.2',
      'v1.2rc1',
      'example.com',
    ]
    expect(urls.filter((path) => warning({ url: `https://a.test/${path}` }) !== null)).toEqual([])
    expect(warning({ url: 'https://a.test/report.pdf', filename: 'report.html' })).toBeNull()
    expect(warning({ url: 'https://a.test/get', type: 'application/octet-stream' })).toBeNull()
    expect(warning({ url: 'https://a.test/get', entryName: 'get.html' })).toBeNull()
  })

  test('not for what merely begins like a page', () => {
    const texts: [string, string, string][] = [
      ['README.md', 'text/plain', '<h1 align="center">Holdall</h1>'],
      ['README.md', 'text/markdown', '<div>'],
      ['notes.txt', 'text/plain', PAGE],
      ['logo.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg">'],
      ['logo.svg', 'text/html', '<svg xmlns="http://www.w3.org/2000/svg">'],
      ['feed.xml', 'text/html', '<?xml version="1.0"?><rss>'],
      ['page.xhtml', 'application/xhtml+xml', '<?xml version="1.0"?><html>'],
      ['view.vue', 'text/plain', '<script setup>'],
      ['table.xls', 'application/vnd.ms-excel', '<html xmlns:o="urn:schemas-microsoft-com:office:office">'],
      ['track.gpx', 'application/gpx+xml', '<?xml version="1.0"?><gpx>'],
      ['data.csv', 'text/html', 'name,size\n<b>,1\n'],
    ]
    expect(
      texts.filter(([name, type, body]) => warning({ url: `https://a.test/${name}`, type, body }) !== null),
    ).toEqual([])
  })

  test('not for a file that its source calls HTML', () => {
    const zip = Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0)
    expect(warning({ url: 'https://a.test/a.zip', body: zip })).toBeNull()
    expect(warning({ url: 'https://a.test/a.pdf', body: '%PDF-1.4' })).toBeNull()
  })

  test('a page of thousands of comments is judged at once', () => {
    const bodies = ['<!---->'.repeat(600), ' '.repeat(4096), '<title '.repeat(600), '<input '.repeat(600)]
    const judge = () => {
      for (const body of bodies) warning({ url: 'https://a.test/a.pdf', body })
    }
    expect(processorSeconds(judge)).toBeLessThan(MAX_HOSTILE_INPUT_SECONDS / 10)
  })

  test('the message names what was expected', () => {
    expect(warning({ url: 'https://a.test/report.pdf' })?.message).toBe(
      'The source sent a web page in place of a .pdf file. Open the link to see what the page says.',
    )
  })

  test.each<[string, Received]>([
    [
      'a redirect to its path',
      { url: 'https://a.test/a.pdf', finalUrl: 'https://a.test/account/sign-in?to=%2Fa.pdf' },
    ],
    ['a redirect to its host', { url: 'https://a.test/a.pdf', finalUrl: 'https://accounts.b.test/v3' }],
    [
      'a redirect to SAML',
      { url: 'https://a.test/a.pdf', finalUrl: 'https://b.test/idp/profile/SAML2/Redirect/SSO' },
    ],
    ['its title', { url: 'https://a.test/a.pdf', body: '<html><head><title>Example: Log in</title>' }],
    [
      'a field for a password',
      { url: 'https://a.test/a.pdf', body: '<html><form><input id="p" type="password">' },
    ],
  ])('the message names a sign-in page, which is told by %s', (_, body) => {
    expect(warning(body)?.message).toBe(
      'The source sent a sign-in page in place of a .pdf file. Use a link that works without signing in.',
    )
  })

  test('a redirect to another page is not taken for a sign-in page', () => {
    const finalUrl = 'https://a.test/blog/catalogin-author'
    expect(warning({ url: 'https://a.test/a.pdf', finalUrl })?.message).toContain('a web page')
  })
})

describe('EMPTY: 0 bytes', () => {
  test('whatever the name and the type', () => {
    for (const type of ['text/html', 'application/pdf', null])
      for (const url of ['https://a.test/a.pdf', 'https://a.test/', 'https://a.test/__init__.py'])
        expect(warning({ url, type, body: '' })).toMatchObject({ code: 'EMPTY' })
  })
})
