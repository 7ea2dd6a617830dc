import { describe, expect, test } from 'bun:test'
import { decodeHTML } from 'entities'
import { startFileSource } from '../support/file-source.ts'
import { forFile } from '../support/for-file.ts'
import { PROGRAM_FILES, startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

/** What Chromium sends when a person navigates. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8' }

const uiDir = forFile(tempDir())
await Bun.write(
  uiDir.file('index.html'),
  '<!doctype html><title>Holdall</title><noscript>Needs JavaScript.</noscript>',
)
await Bun.write(
  uiDir.file('share.html'),
  '<!doctype html><title>Holdall</title><noscript>Needs JavaScript.</noscript>',
)
await Bun.write(uiDir.file('assets/app-512-1a2b3c.png'), 'a picture')
await Bun.write(uiDir.file('assets/app-1a2b3c.js'), 'export {}')
const source = forFile(startFileSource({ a: { type: 'text/plain', body: 'text' } }))
const service = forFile(await startService({}, { ...PROGRAM_FILES, uiDir: uiDir.path }))

const finished = (settings: object = {}) => service.finishedJob([...source.urls], settings)
const tokenOf = (job: { download_url: string }) => new URL(job.download_url).pathname.split('/')[2] ?? ''
const browse = (path: string, headers: Record<string, string> = BROWSER, method = 'GET') =>
  fetch(service.origin + path, { method, headers, redirect: 'manual' })

async function deletedToken(): Promise<string> {
  const job = await finished()
  await service.request('DELETE', `/jobs/${job.id}`)
  return tokenOf(job)
}

async function expectPage(response: Response, status: number, title = 'Holdall'): Promise<string> {
  expect(response.status).toBe(status)
  const { headers } = response
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('content-security-policy')).toContain("default-src 'self'")
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('x-request-id')).not.toBeNull()
  const text = await response.text()
  expect(text).toContain(`<title>${title}</title>`)
  return text
}

describe('GET /share/:token', () => {
  test('without scripts shows name, size, number of files, expiry and a link that downloads', async () => {
    const job = await finished({ zip_filename: 'holiday' })
    const response = await browse(`/share/${tokenOf(job)}`)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const text = await expectPage(response, 200, 'holiday.zip · Holdall')
    expect(text).toContain('<h1>holiday.zip</h1>')
    expect(text).toContain(`1 file, ${job.zip_size} B.`)
    expect(text).toContain(`until ${job.expires_at.slice(0, 10)} `)
    const [, href = ''] = /<a href="([^"]+)" download>Download<\/a>/.exec(text) ?? []
    expect((await fetch(service.origin + href)).headers.get('content-type')).toBe('application/zip')
    expect(text).not.toContain(service.key)
    expect(text).not.toContain(new URL(source.urls[0] ?? '').host)
  })

  test('tells messengers the name, the size and the expiry, with a picture of Holdall, and nothing else of the archive', async () => {
    const job = await finished({ zip_filename: 'holiday', metadata: { customer: 'secret' } })
    const text = await (await browse(`/share/${tokenOf(job)}`)).text()
    const properties = [...text.matchAll(/<meta property="og:([a-z_]+)" content="([^"]*)">/g)]
    expect(Object.fromEntries(properties.map(([, name, content]) => [name, content]))).toEqual({
      type: 'website',
      site_name: 'Holdall',
      title: 'holiday.zip',
      description: `1 file · ${job.zip_size} B · until ${job.expires_at.slice(0, 16).replace('T', ' ')} UTC`,
      image: `${service.origin}/assets/app-512-1a2b3c.png`,
    })
    expect(text).not.toContain('secret')
  })

  test('has the first answer about the archive in it, as the API gives it', async () => {
    const token = tokenOf(await finished({ zip_filename: '"&\'<' }))
    const text = await (await browse(`/share/${token}`)).text()
    const [, content = ''] = /<meta name="holdall-archive" content="([^"]*)">/.exec(text) ?? []
    const { archive } = (await service.request('GET', `/download/${token}/archive`, { key: null })).body
    expect(JSON.parse(decodeHTML(content))).toEqual(archive)
  })

  test('without scripts shows the progress while the archive is packed, and that it failed', async () => {
    await using sources = startSources()
    const urls = [sources.url('/ok/a'), sources.url('/slow')]
    const jobId = await service.createJob({ urls, zip_filename: 'soon' })
    const { share_url } = (await service.request('GET', `/jobs/${jobId}`)).body.job
    const shown = async () => expectPage(await browse(new URL(share_url).pathname), 200, 'soon.zip · Holdall')
    const progress = '<p>This archive is being packed: 1 file so far (50%).'
    await until('the progress is shown', async () => (await shown()).includes(progress))
    expect(await shown()).toContain('<h1>soon.zip</h1>')
    await service.request('POST', `/jobs/${jobId}/cancel`)
    const text = await shown()
    expect(text).toContain('<p>This archive couldn’t be packed. ')
    expect(text).not.toContain('href="/download')
  })

  test.each(['<img src=x onerror=alert(1)>', '"&\'<', '</noscript><script>alert(1)', '$& $1 $`'])(
    'shows the name %p as text',
    async (name) => {
      // A name can't contain a slash, so the test closes the element in another way.
      const job = await finished({ zip_filename: name.replaceAll('/', '⁄') })
      const title = Bun.escapeHTML(`${job.zip_filename} · Holdall`)
      const text = await expectPage(await browse(`/share/${tokenOf(job)}`), 200, title)
      expect(text).toContain(`<h1>${Bun.escapeHTML(job.zip_filename)}</h1>`)
      expect(text).not.toContain('<img')
      expect(text).not.toContain('<script>alert')
    },
  )

  test('is also there for a program, and at a path with a slash at the end', async () => {
    const token = tokenOf(await finished({ zip_filename: 'a' }))
    await expectPage(await browse(`/share/${token}`, {}), 200, 'a.zip · Holdall')
    await expectPage(await browse(`/share/${token}/`), 200, 'a.zip · Holdall')
  })
})

describe('A browser that navigates to a link that has expired or was deleted', () => {
  test.each(['/download/', '/share/'])('gets a page at %s, and a program the error', async (start) => {
    const path = start + (await deletedToken())
    const text = await expectPage(await browse(path), 403)
    expect(text).not.toContain(path.slice(start.length))
    expect((await browse(path)).headers.get('cache-control')).toBe('no-store')
    const head = await browse(path, BROWSER, 'HEAD')
    expect([head.status, await head.text()]).toEqual([403, ''])
    for (const accept of ['*/*', 'application/json', 'text/html;q=0.5, application/json']) {
      const reply = await service.request('GET', path, { key: null, headers: { accept } })
      expect([reply.status, reply.body.error.code]).toEqual([403, 'EXPIRED_TOKEN'])
    }
  })

  test('gets the archive itself as long as it is there', async () => {
    const job = await finished()
    const response = await browse(`/download/${tokenOf(job)}`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
  })

  test.each(['/download/', '/share/'])(
    'gets a page for a wrong link at %s, which the page does not repeat',
    async (start) => {
      const text = await expectPage(await browse(`${start}%3Cb%3Ewrong`), 403)
      expect(text).not.toContain('wrong')
    },
  )

  test('who tries many wrong links gets RATE_LIMITED, on pages too', async () => {
    await using own = await startService({}, { ...PROGRAM_FILES, uiDir: uiDir.path })
    own.stopClock()
    const statuses = new Set<number>()
    for (let tries = 0; tries < 310; tries++) {
      statuses.add((await fetch(`${own.origin}/share/wrong`, { headers: BROWSER })).status)
    }
    expect(statuses).toEqual(new Set([403, 429]))
  })
})

describe('A page address that does not exist', () => {
  test.each([
    '/nothing',
    '/archive',
    '/share',
    '/share/a/b',
    '/download',
    '/jobs/nothing',
    '/assets/none.js',
  ])('gets the page of the interface with status 404: %s', async (path) => {
    const text = await expectPage(await browse(path), 404)
    expect(text).not.toContain('nothing')
  })

  test('gets the error envelope when the client prefers JSON, sends a key, or does not GET', async () => {
    for (const [method, headers] of [
      ['GET', { accept: '*/*' }],
      ['GET', { accept: 'application/json, text/html;q=0.9' }],
      ['GET', { ...BROWSER, authorization: `Bearer ${service.key}` }],
      ['GET', { ...BROWSER, 'x-api-key': service.key }],
      ['POST', BROWSER],
    ] as const) {
      const reply = await service.request(method, '/nothing', { key: null, headers })
      expect([reply.status, reply.body.error.code]).toEqual([404, 'NOT_FOUND'])
    }
  })

  test('other errors stay errors for browsers, too', async () => {
    const reply = await service.request('GET', '/jobs', { key: null, headers: BROWSER })
    expect([reply.status, reply.body.error.code]).toEqual([401, 'UNAUTHORIZED'])
  })
})

test('A service without the built interface has the error envelope for browsers', async () => {
  await using own = await startService({}, { ...PROGRAM_FILES, uiDir: uiDir.file('none') })
  const reply = await own.request('GET', '/nothing', { key: null, headers: BROWSER })
  expect(reply.body.error.code).toBe('NOT_FOUND')
})
