import { describe, expect, test } from 'bun:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { forFile } from '../support/for-file.ts'
import { PROGRAM_FILES, startService } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const uiDir = forFile(tempDir())
await Bun.write(uiDir.file('index.html'), '<!doctype html><title>Holdall</title>')
await Bun.write(uiDir.file('share.html'), '<!doctype html><title>Shared</title><noscript></noscript>')
await Bun.write(uiDir.file('assets/app-1a2b3c.js'), 'export {}')
await Bun.write(uiDir.file('assets/app-1a2b3c.js.br'), brotliCompressSync('export {}'))
await Bun.write(uiDir.file('assets/app-1a2b3c.js.gz'), gzipSync('export {}'))
await Bun.write(uiDir.file('assets/icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
const service = forFile(await startService({}, { ...PROGRAM_FILES, uiDir: uiDir.path }))

describe('The embedded UI', () => {
  test.each([
    '/',
    '/sign-in',
    '/archives',
    '/archives/1',
    '/keys',
    '/keys/',
    '/account',
    '/add-to-browser',
    '/check',
  ])('has its page at %s', async (path) => {
    const response = await fetch(service.origin + path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'self'")
    expect(await response.text()).toContain('<title>Holdall</title>')
  })

  test('runs no scripts but those of its own paths', async () => {
    for (const path of ['/', '/share/x', '/docs', '/health', '/assets/app-1a2b3c.js']) {
      const policies = (await fetch(service.origin + path)).headers.get('content-security-policy') ?? ''
      expect(policies.split(', ')).toEqual([
        expect.stringContaining("default-src 'self'"),
        expect.stringMatching(/^script-src (https?:\/\/\*:\*\/(assets\/|docs\/(search|calls)\.js) ?){6}$/),
      ])
    }
  })

  test('lets caches keep assets forever, because their names change with their content', async () => {
    const response = await fetch(`${service.origin}/assets/app-1a2b3c.js`)
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('content-type')).toContain('javascript')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test.each([
    ['br, gzip', 'br'],
    ['gzip, deflate', 'gzip'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['*', 'br'],
    ['identity', null],
    ['br;q=0, *;q=0', null],
  ])('compresses assets as the client accepts it: %s gives %s', async (accepted, coding) => {
    const response = await fetch(`${service.origin}/assets/app-1a2b3c.js`, {
      headers: { 'accept-encoding': accepted },
    })
    const { headers } = response
    expect([response.status, headers.get('content-encoding')]).toEqual([200, coding])
    expect(headers.get('vary')).toBe('accept-encoding')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('content-type')).toContain('javascript')
    expect(await response.text()).toBe('export {}')
  })

  test('sends an asset without compressed copies unchanged', async () => {
    const response = await fetch(`${service.origin}/assets/icon.svg`, {
      headers: { 'accept-encoding': 'br' },
    })
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, null])
    expect(response.headers.get('content-type')).toContain('image/svg+xml')
  })

  test.each([
    '/assets/none.js',
    '/assets/app-1a2b3c.js.br',
    '/assets/',
    '/assets/..%2findex.html',
    '/index.html',
  ])('has nothing at %s: NOT_FOUND', async (path) => {
    const reply = await service.request('GET', path, { key: null })
    expect([reply.status, reply.body.error.code]).toEqual([404, 'NOT_FOUND'])
  })
})
