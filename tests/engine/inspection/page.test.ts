import { describe, expect, test } from 'bun:test'
import type { LinkFilter } from '../../../server/engine/inspection/link-list.ts'
import { linkTest, readPage } from '../../../server/engine/inspection/page.ts'
import { processorSeconds } from '../../support/hostile-input.ts'

function read(
  text: string | Uint8Array,
  contentType: string | null = 'text/html',
  url = 'https://site.test/a/page.html',
) {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  return readPage({ url, contentType, bytes })
}

const linksOf = (text: string, contentType?: string, url?: string) =>
  read(text, contentType, url)?.links ?? []
const urlsOf = (text: string, contentType?: string, url?: string) =>
  linksOf(text, contentType, url).map((link) => link.url)

describe('Of the links of a page, a filter lets some through', () => {
  const readOnly = (text: string, only: LinkFilter, url = 'https://site.test/a/page.html') =>
    readPage({ url, contentType: 'text/html', bytes: new TextEncoder().encode(text) }, linkTest(only))
  const documents: LinkFilter = { kind: 'document', match: '*/2026/*' }

  test('by kind, and by a pattern for the address', () => {
    const page = readOnly('<a href="2026/a.pdf"><a href="2026/a.html"><a href="2025/a.pdf">', documents)
    expect(page).toMatchObject({ links: [{ url: 'https://site.test/a/2026/a.pdf' }], total: 1 })
  })

  test('also of a listing', () => {
    const html = '<title>Index of /2026/</title><a href="../"><a href="a.pdf"><a href="b.zip"><a href="c/">'
    const listing = readOnly(html, documents, 'https://site.test/2026/')
    expect(listing).toMatchObject({ type: 'listing', links: [{ name: 'a.pdf' }], total: 1 })
  })

  test('after more others than a list may have', () => {
    const others = Array.from({ length: 30_000 }, (_, index) => `<a href="${index}.html">`).join('')
    const page = readOnly(`${others}<a href="2026/a.pdf">`, documents)
    expect(page).toMatchObject({ links: [{ url: 'https://site.test/a/2026/a.pdf' }], total: 1 })
  })
})

describe('A link of a page', () => {
  test('has its address, the name of its entry, its text and its kind', () => {
    expect(
      linksOf('<a href="../docs/a%20b.pdf?x=1&amp;copy=2">The <b>yearly</b>\n report &eacute;</a>'),
    ).toEqual([
      {
        url: 'https://site.test/docs/a%20b.pdf?x=1&copy=2',
        name: 'a b.pdf',
        text: 'The yearly report é',
        kind: 'document',
      },
    ])
  })

  test.each([
    ['<a href="b.html">', 'page'],
    ['<a href="/about">', 'page'],
    ['<a href="x.php?id=1">', 'page'],
    ['<img src="p.png">', 'image'],
    ['<img src="/picture/17">', 'image'],
    ['<audio src="s.mp3">', 'audio'],
    ['<video src="/stream">', 'video'],
    ['<a href="a.tar.gz">', 'archive'],
    ['<a href="t.csv">', 'data'],
    ['<a href="setup.exe">', 'other'],
    ['<a href="/get?id=1" type="application/pdf">', 'document'],
    ['<a href="/get?id=2" download="song.mp3">', 'audio'],
  ])('%s is of kind %p', (html, kind) => {
    expect(linksOf(html).map((link) => link.kind)).toEqual([kind as 'page'])
  })

  test('is told once, with the first text; none leads to a place in the page itself', () => {
    const html =
      '<a href="#top">Top</a><a href="x.pdf"></a><a href="x.pdf#page=2">X</a><a href="page.html#b">B</a>'
    expect(linksOf(html)).toMatchObject([{ url: 'https://site.test/a/x.pdf', text: 'X' }])
  })

  test('can be fetched', () => {
    expect(
      urlsOf('<a href="mailto:a@b"><a href="javascript:x()"><a href="data:,x"><a href="http://">'),
    ).toEqual([])
  })

  test('has the name of `download`', () => {
    expect(linksOf('<a href="/get?id=9" download="a/b.pdf">')[0]?.name).toBe('a/b.pdf')
  })
})

describe('Addresses', () => {
  test('are relative to the first base', () => {
    expect(urlsOf('<base href="/files/"><base href="/no/"><a href="a.pdf">')).toEqual([
      'https://site.test/files/a.pdf',
    ])
  })

  test('of srcset and picture: the largest', () => {
    const html = `<img src="s.jpg" srcset="m.jpg 800w, l,1.jpg 1600w,s.jpg 400w">
      <picture><source srcset="p.webp 900w, q.webp 1800w"><img src="p.jpg" alt="P"></picture>
      <picture><source srcset="r.avif"><img srcset="r.jpg 1x, r2.jpg 2x"></picture>`
    expect(urlsOf(html)).toEqual(['l,1.jpg', 'q.webp', 'r2.jpg'].map((name) => `https://site.test/a/${name}`))
    expect(linksOf(html)[1]?.text).toBe('P')
  })

  test('of video, source, track, poster and an image that is loaded late', () => {
    const html =
      '<video poster="p.jpg"><source src="v.mp4"><track src="t.vtt" label="English"></video><img src="data:,x" data-src="late.png">'
    expect(linksOf(html).map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'p.jpg image',
      'v.mp4 video',
      't.vtt data',
      'late.png image',
    ])
  })

  test('in scripts, comments and text are none; those in noscript are', () => {
    const html =
      '<script>"<a href=1.pdf>"</script><!-- <a href=2.pdf> --><textarea><a href=3.pdf></textarea><noscript><a href=4.pdf></noscript>'
    expect(urlsOf(html)).toEqual(['https://site.test/a/4.pdf'])
  })
})

describe('A page', () => {
  test('has its title', () => {
    expect(read('<title>A &amp; <b>B</b></title><title>C</title>')?.title).toBe('A & <b>B</b>')
  })

  test('that seems to be made by script alone says so', () => {
    const shell = '<div id="root"></div><script src="app.js"></script>'
    expect(read(shell)?.needsScript).toBe(true)
    expect(read(`${shell}<p>${'words '.repeat(100)}</p>`)?.needsScript).toBe(false)
    expect(read('<p>Nothing here.</p>')?.needsScript).toBe(false)
  })

  test.each([
    ['text/html; charset=iso-8859-1', '<a href=x>caf\xe9</a>'],
    ['text/html', '<meta charset="windows-1252"><a href=x>caf\xe9</a>'],
    ['text/html', '<meta http-equiv=content-type content="text/html; charset=latin1"><a href=x>caf\xe9</a>'],
    ['text/html; charset=unknown', '<a href=x>caf\xe9</a>'],
  ])('is read in its encoding: %s', (contentType, text) => {
    expect(read(Buffer.from(text, 'latin1'), contentType)?.links[0]?.text).toBe('café')
  })

  test('in Shift_JIS is read', () => {
    const bytes = Buffer.from('<a href=x>\x93\xfa\x96{</a>', 'latin1')
    expect(read(bytes, 'text/html; charset=Shift_JIS')?.links[0]?.text).toBe('日本')
  })

  test('tells its first 10,000 links and the count of all', () => {
    const page = read(Array.from({ length: 10_500 }, (_, index) => `<a href="${index}.pdf">`).join(''))
    expect(page?.links.length).toBe(10_000)
    expect(page?.total).toBe(10_500)
  })

  test('lists at most 10 MB of addresses, however many links are relative to a long one', () => {
    const long = `https://site.test/${'a/'.repeat(4_000)}`
    const html = Array.from({ length: 600_000 }, (_, index) => `<a href=${index}>`).join('')
    for (const base of ['', `<base href="${long}">`]) {
      const bytes = Buffer.from(base + html)
      const page = readPage({ url: long, contentType: 'text/html', bytes })
      expect(page?.total).toBe(60_000)
      const characters = page?.links.reduce((sum, { url }) => sum + url.length, 0)
      // The last one may go beyond it.
      expect(characters).toBeWithin(10_000_000, 10_000_000 + 2 * long.length)
    }
  })

  test('with a base that is too long for a URL has its links relative to its own address', () => {
    const base = `<base href="https://other.test/${'a/'.repeat(2_000_000)}">`
    expect(read(`${base}<a href=x>`)?.links.map(({ url }) => url)).toEqual(['https://site.test/a/x'])
  })

  test('counts what it does not tell as it is written, each once, and without what is never fetched', () => {
    const told = Array.from({ length: 10_000 }, (_, index) => `<a href="${index}.pdf#top">`)
    const more = ['x.pdf', 'x.pdf#2', '1.pdf', '#top', 'mailto:a@b.test', 'https://other.test/'].map(
      (address) => `<a href="${address}">More</a>`,
    )
    const page = read([...told, ...more, ...more].join(''))
    expect([page?.links.length, page?.total]).toEqual([10_000, 10_002])
    expect(page?.links[1]?.text).toBe('More')
  })

  test('is not read from another type of file', () => {
    expect(read('%PDF-1.7', 'application/pdf')).toBeNull()
    expect(read('just text', 'text/plain')).toBeNull()
    expect(read('{}', 'application/octet-stream')).toBeNull()
  })
})

describe('Feeds and sitemaps', () => {
  test('RSS with enclosures', () => {
    const rss = `<?xml version="1.0"?><!-- c --><rss xmlns:media="m"><channel><title>My feed</title><link>https://site.test/</link>
      <item><title><![CDATA[One & <i>]]></title><link>https://site.test/one?a=1&amp;b=2</link>
      <enclosure url="https://cdn.test/1.mp3?x" type="audio/mpeg" length="1"/></item>
      <item><title>Two</title><media:content url="/two" type="video/mp4"/></item></channel></rss>`
    const page = read(rss, 'application/rss+xml')
    expect(page).toMatchObject({ type: 'feed', title: 'My feed' })
    expect(page?.links.map(({ url, text, kind }) => [url, text, kind])).toEqual([
      ['https://site.test/one?a=1&b=2', 'One & <i>', 'page'],
      ['https://cdn.test/1.mp3?x', 'One & <i>', 'audio'],
      ['https://site.test/two', 'Two', 'video'],
    ])
  })

  test('Atom with enclosures', () => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Atom</title><link rel="self" href="/feed"/>
      <entry><title>E</title><link href="e.html"/><link rel="enclosure" type="application/pdf" href="e?1"/></entry></feed>`
    expect(linksOf(atom, 'text/xml').map(({ url, kind }) => [url, kind])).toEqual([
      ['https://site.test/a/e.html', 'page'],
      ['https://site.test/a/e?1', 'document'],
    ])
  })

  test('a sitemap with images, and an index of sitemaps', () => {
    const map = `<urlset><url><loc>https://site.test/x</loc><image:image><image:loc>https://site.test/x.png</image:loc></image:image></url></urlset>`
    expect(urlsOf(map, 'application/xml')).toEqual(['https://site.test/x', 'https://site.test/x.png'])
    const index = read(
      '<sitemapindex><sitemap><loc>/s1.xml</loc></sitemap></sitemapindex>',
      'application/xml',
    )
    expect(index).toMatchObject({ type: 'sitemap', folders: ['https://site.test/s1.xml'] })
  })
})

describe('Listings of directories', () => {
  const url = 'https://site.test/pub/'

  test('of nginx, whose long names are cut', () => {
    const html = `<html><head><title>Index of /pub/</title></head><body><h1>Index of /pub/</h1><hr><pre><a href="../">../</a>
<a href="sub/">sub/</a>    01-Jan-2026 10:00    -
<a href="a-very-long-name-that-is-cut.tar.gz">a-very-long-name-th..&gt;</a>  01-Jan-2026 10:00  12
<a href="README">README</a>  01-Jan-2026 10:00  12
</pre></body></html>`
    const page = read(html, 'text/html', url)
    expect(page).toMatchObject({ type: 'listing', total: 3, folders: ['https://site.test/pub/sub/'] })
    expect(page?.links.map(({ name, text, kind }) => [name, text, kind])).toEqual([
      ['sub', 'sub/', 'page'],
      ['a-very-long-name-that-is-cut.tar.gz', 'a-very-long-name-that-is-cut.tar.gz', 'archive'],
      ['README', 'README', 'other'],
    ])
  })

  test('of Apache, whose columns can be sorted', () => {
    const html = `<title>Index of /pub</title><table><tr><th><a href="?C=N;O=D">Name</a></th></tr>
      <tr><td><img src="/icons/back.gif" alt="[PARENTDIR]"></td><td><a href="/">Parent Directory</a></td></tr>
      <tr><td><img src="/icons/pdf.gif" alt="[   ]"></td><td><a href="b.pdf">b.pdf</a></td></tr></table>`
    expect(urlsOf(html, 'text/html', url)).toEqual(['https://site.test/pub/b.pdf'])
  })
})

/** Each would take minutes if the time grew with the square of the length. */
test.each([
  '<p>'.repeat(500_000) + '</b>'.repeat(500_000),
  '<a href=x>'.repeat(300_000),
  '<'.repeat(2_000_000),
  '<a '.repeat(1_000_000),
  '<!--'.repeat(1_000_000),
  '<a href="'.repeat(500_000),
  `<a ${'x '.repeat(2_000_000)}`,
  '<title></titl'.repeat(300_000),
  `<img srcset="${'a '.repeat(1_000_000)}">`,
  `<picture>${'<source srcset=a>'.repeat(200_000)}`,
  `<rss>${'<item><link>'.repeat(200_000)}`,
  `<?xml ${'<?xml '.repeat(500_000)}`,
])('a hostile page takes time in proportion to its length (%#)', (html) => {
  expect(processorSeconds(() => void read(html))).toBeLessThan(5)
})
