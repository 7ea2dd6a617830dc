import { describe, expect, test } from 'bun:test'
import { connectTo } from '../support/connection.ts'
import { forFile } from '../support/for-file.ts'
import { startService } from '../support/service.ts'
import { startSite } from '../support/site.ts'
import { until } from '../support/until.ts'

const service = forFile(await startService())
const site = forFile(
  startSite({
    '/': `<title>Reports</title><a href="r/1.pdf">First report</a><a href="#top">Top</a><img src="logo.png" alt="Logo">`,
    '/file.pdf': { body: '%PDF-1.7', type: 'application/pdf' },
    '/big': `<a href=x>${'x'.repeat(10_000_001)}`,
    '/script': '<div id=root></div><script src=a.js></script>',
    '/pub/':
      '<title>Index of /pub/</title><pre><a href="../">../</a><a href="sub/">sub/</a><a href="gone/">gone/</a><a href="a.txt">a.txt</a>',
    '/pub/sub/':
      '<title>Index of /pub/sub/</title><pre><a href="../">../</a><a href="deeper/">deeper/</a><a href="b.txt">b.txt</a>',
  }),
)

const find = (path: string, more: object = {}) =>
  service.request('POST', '/links', { body: { url: site.url(path), ...more } })

describe('POST /links', () => {
  test('gives title, links and meta', async () => {
    const { status, body } = await find('/')
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      title: 'Reports',
      links: [
        { url: site.url('/r/1.pdf'), name: '1.pdf', text: 'First report', kind: 'document' },
        { url: site.url('/logo.png'), name: 'logo.png', text: 'Logo', kind: 'image' },
      ],
      meta: { url: site.url('/'), type: 'page', total: 2, needs_script: false, unread_folders: [] },
    })
  })

  test('says so when a page seems to be made by script alone', async () => {
    expect((await find('/script')).body.meta).toMatchObject({ needs_script: true, total: 0 })
  })

  test('at most 10 MB: 413', async () => {
    const { status, body } = await find('/big')
    expect(status).toBe(413)
    expect(body.error).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', message: 'The page has more than 10 MB.' })
  })

  test.each([
    ['/nothing', 'HTTP 404'],
    ['/file.pdf', 'It is a file (application/pdf) and no page.'],
  ])('a page that can’t be had is 422 with the reason: %s', async (path, reason) => {
    const { status, body } = await find(path)
    expect(status).toBe(422)
    expect(body.error.code).toBe('PAGE_NOT_FETCHED')
    expect(body.error.message).toContain(reason)
  })

  test('a refused address is 422, too', async () => {
    const { status, body } = await service.request('POST', '/links', { body: { url: 'http://10.1.1.1/' } })
    expect(status).toBe(422)
    expect(body.error.message).toContain('Address not allowed')
  })

  test('a malformed address is 400', async () => {
    expect((await service.request('POST', '/links', { body: { url: 'x' } })).status).toBe(400)
  })

  test('reads the folders of a listing on request, one level', async () => {
    const plain = await find('/pub/')
    expect(plain.body.links.map((link: { name: string }) => link.name)).toEqual(['sub', 'gone', 'a.txt'])
    const { body } = await find('/pub/', { folders: true })
    expect(body.links.map((link: { name: string }) => link.name)).toEqual([
      'sub/deeper',
      'sub/b.txt',
      'gone',
      'a.txt',
    ])
    expect(body.meta).toMatchObject({ type: 'listing', total: 4, unread_folders: [site.url('/pub/gone/')] })
  })

  test('sends the headers of a site to its own origin alone, also in POST /probe', async () => {
    const seen: string[] = []
    let elsewhere = ''
    const guarded = (name: string) =>
      Bun.serve({
        hostname: '127.0.0.1',
        port: 0,
        fetch(request) {
          seen.push(`${name} ${request.method} ${request.headers.get('authorization')}`)
          if (name === 'other')
            return new Response('<a href=/x>x</a>', { headers: { 'content-type': 'text/html' } })
          if (request.headers.get('authorization') !== 'Bearer MARKER')
            return new Response('', { status: 401 })
          return Response.redirect(elsewhere)
        },
      })
    await using other = guarded('other')
    await using own = guarded('own')
    elsewhere = other.url.href
    const url = own.url.href
    const refused = await service.request('POST', '/links', { body: { url } })
    expect(refused.body.error.message).toContain('HTTP 401')
    const origin = own.url.origin
    const site = await service.request('POST', '/sites', {
      body: { origin, headers: [{ name: 'Authorization', value: 'Bearer MARKER' }] },
    })
    expect(site.status).toBe(201)
    seen.length = 0
    const { body } = await service.request('POST', '/links', { body: { url } })
    expect(body.links).toHaveLength(1)
    const probed = await service.request('POST', '/probe', { body: { urls: [url] } })
    expect(probed.status).toBe(200)
    expect(seen).toEqual([
      'own GET Bearer MARKER',
      'other GET null',
      'own HEAD Bearer MARKER',
      'other HEAD null',
    ])
    expect(JSON.stringify(body) + service.logged.join('')).not.toContain('MARKER')
    await service.request('PATCH', `/sites/${site.body.site.id}`, {
      body: { headers: [{ name: 'Authorization', value: 'Bearer OLD' }] },
    })
    const expired = await service.request('POST', '/links', { body: { url } })
    expect(expired.body.error.message).toContain('The saved login for 127.0.0.1')
  })

  test('counts as being looked into until its answer was read, or its client has gone', async () => {
    site.add(
      '/large',
      Array.from({ length: 9_000 }, (_, index) => `<a href="/${index}/${'x'.repeat(900)}">`).join(''),
    )
    const body = JSON.stringify({ url: site.url('/large') })
    const head = `POST /links HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\nContent-Length: ${body.length}`
    const unread = [await connectTo(service.origin), await connectTo(service.origin)]
    for (const connection of unread) {
      await connection.send(`${head}\r\n\r\n${body}`)
      await connection.received(1)
      connection.pause()
    }
    const refused = await find('/')
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED'])
    for (const connection of unread) connection[Symbol.dispose]()
    await until('links are found again', async () => (await find('/')).status === 200, { everyMs: 10 })
    expect((await find('/large')).body.links).toHaveLength(9_000)
    expect((await find('/large')).body.links).toHaveLength(9_000)
    expect((await find('/')).status).toBe(200)
  })
})
