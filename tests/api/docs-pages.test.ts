import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SETTINGS } from '../../server/config/config.ts'
import { ERROR_CODES } from '../../server/errors.ts'
import type { OpenapiDocument } from '../../server/http/docs/openapi.ts'
import { expectKnownFlags, expectSelfContained, withoutPlaces } from '../support/docs-page.ts'
import { forFile } from '../support/for-file.ts'
import { startService } from '../support/service.ts'

const EXAMPLES_DIR = join(import.meta.dir, '../../server/http/docs/examples')
const service = forFile(await startService())
const document: OpenapiDocument = (await service.request('GET', '/openapi.json', { key: null })).body
const index: { title: string; where: string; url: string }[] = JSON.parse(
  await (await fetch(`${service.origin}/docs/search.json`)).text(),
)

const partOf = (tag: string) => `/docs/reference/${tag.toLowerCase().replaceAll(' ', '-')}`
const PARTS = document.tags.map(({ name }) => partOf(name))
const PATHS = [
  '/docs',
  '/docs/reference',
  ...PARTS,
  '/docs/reference/schemas',
  '/docs/reference/errors',
  '/docs/reference/settings',
]
const pages = new Map<string, string>()
for (const path of PATHS) pages.set(path, await (await fetch(`${service.origin}${path}`)).text())
const pageAt = (path: string) => pages.get(path) ?? ''
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))

test.each(PATHS)('%s loads nothing from other origins, and its links lead somewhere', async (path) => {
  const response = await fetch(`${service.origin}${path}`)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  await expectSelfContained(service.origin, pageAt(path))
})

test('No page, script or index of the documentation holds a key, also not for a request with one', async () => {
  for (const path of [...PATHS, '/docs/search.json', '/docs/calls.js']) {
    const response = await fetch(`${service.origin}${path}`, {
      headers: { authorization: `Bearer ${service.key}` },
    })
    expect(await response.text()).not.toContain(service.key)
    expect(response.headers.get('cache-control')).toBe('no-cache')
  }
})

test.each(['/docs/nothing', '/docs/reference/nothing', '/docs/__proto__', '/docs/constructor'])(
  '%s is NOT_FOUND',
  async (path) => {
    const { status, body } = await service.request('GET', path, { key: null })
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
  },
)

describe('GET /docs', () => {
  test.each(['curl.sh', 'client.js', 'python.py'])('shows %s as it is', (name) => {
    const text = readFileSync(join(EXAMPLES_DIR, name), 'utf8')
    expect(withoutPlaces(pageAt('/docs'))).toContain(Bun.escapeHTML(text))
  })

  test('marks where the address and the key of a signed-in browser go', () => {
    const places = [...pageAt('/docs').matchAll(/<span data-put="([\w-]+)">(.*?)<\/span>/g)]
    const keys = places.filter(([, kind]) => kind !== 'address').map(([, kind, text]) => [kind, text])
    expect(keys).toEqual([
      ['key', Bun.escapeHTML('$(dist/holdall key create --name "my script")')],
      ['quoted-key', 'process.env.KEY'],
      ['quoted-key', Bun.escapeHTML('os.environ["KEY"]')],
    ])
  })
})

describe('The reference', () => {
  test('has each operation on the page of its tag, with a call and its answer', () => {
    for (const { operationId, summary, tags } of operations) {
      const page = pageAt(partOf(tags[0] ?? ''))
      const [section = ''] = page.split(`<section id="${operationId}">`)[1]?.split('</section>') ?? []
      expect(section).toContain(Bun.escapeHTML(summary))
      expect([operationId, section.includes('<h3>Example</h3>')]).toEqual([operationId, true])
    }
  })

  test('states the type and the bounds of each field', () => {
    const page = pageAt('/docs/reference/jobs')
    expect(page).toContain('array (1 to 5000) of string (uri, at most 8192 characters) or null')
    expect(page).toContain('integer (300 to 5184000) or null')
    expect(page).not.toContain(', 1 to 5000 or null')
  })

  test('has an anchor for each field, once', () => {
    for (const path of PATHS) {
      const ids = [...pageAt(path).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
      expect([path, new Set(ids).size]).toEqual([path, ids.length])
    }
    expect(pageAt('/docs/reference/jobs')).toContain('<tr id="createJob.body.files.url">')
    expect(pageAt('/docs/reference/schemas')).toContain('<tr id="Job.zip_size">')
  })

  test('lists every error code and every setting', async () => {
    for (const code of ERROR_CODES) expect(pageAt('/docs/reference/errors')).toContain(` id="${code}"`)
    for (const { flag } of Object.values(SETTINGS))
      expect(pageAt('/docs/reference/settings')).toContain(` id="${flag}"`)
    await expectKnownFlags(pageAt('/docs/reference/settings'), ['--listen', 'HOLDALL_LISTEN'])
    expect(pageAt('/docs/reference/settings')).toContain(
      '<code>max_urls</code></a></td><td>Free: 100</td><td>Pro: 5,000</td></tr>',
    )
  })
})

describe('The index of the search', () => {
  test('is the same with and without compression', async () => {
    const texts: string[] = []
    for (const coding of ['identity', 'gzip']) {
      const headers = { 'accept-encoding': coding }
      const response = await fetch(`${service.origin}/docs/search.json`, { headers })
      expect([coding, response.headers.get('vary')]).toEqual([coding, 'accept-encoding'])
      texts.push(await response.text())
    }
    expect(texts[0]).toBe(texts[1] ?? '')
  })

  test('has each operation, schema, error code and setting', () => {
    const urls = index.map(({ url }) => url)
    const expected = [
      ...operations.map(({ operationId, tags }) => `${partOf(tags[0] ?? '')}#${operationId}`),
      ...Object.keys(document.components.schemas).map((name) => `/docs/reference/schemas#${name}`),
      ...ERROR_CODES.map((code) => `/docs/reference/errors#${code}`),
      ...Object.values(SETTINGS).map(({ flag }) => `/docs/reference/settings#${flag}`),
      '/docs/using-holdall#checksums',
      '/docs/running-on-a-server#backup',
    ]
    expect(expected.filter((url) => !urls.includes(url))).toEqual([])
    expect(new Set(urls).size).toBe(urls.length)
  })

  test('has each field with its operation, in words without markup', () => {
    expect(index).toContainEqual(
      expect.objectContaining({
        title: 'expires_in',
        where: 'Jobs, Create a job, body',
        url: '/docs/reference/jobs#createJob.body.expires_in',
      }),
    )
    expect(JSON.stringify(index)).not.toMatch(/<\/|<(?:a|b|td|tr|p|code)\b|&(?:amp|lt|quot|#)/)
  })
})
