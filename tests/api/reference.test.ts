import { describe, expect, test } from 'bun:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { OPERATIONS } from '../../server/http/operations.ts'
import { forFile } from '../support/for-file.ts'
import { startService } from '../support/service.ts'

const service = forFile(await startService())

const document = async () => (await service.request('GET', '/openapi.json', { key: null })).body

describe('GET /openapi.json', () => {
  test('is a valid OpenAPI 3.1 document, by the schema of the OpenAPI Initiative', async () => {
    const validator = new Validator()
    const result = await validator.validate(await document())
    expect(result).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  test('describes every route, and none that does not exist', async () => {
    const { paths } = await document()
    const described = Object.values(paths).flatMap((methods) => Object.keys(Object(methods)))
    expect(described).toHaveLength(Object.keys(OPERATIONS).length)
  })

  test('names each operation once, and refers to nothing that is not there', async () => {
    const text = JSON.stringify(await document())
    const ids = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const names = Object.keys(JSON.parse(text).components.schemas)
    for (const [, name] of text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g))
      expect(names).toContain(name ?? '')
  })

  test('says what the limits of a request are', async () => {
    const { paths } = await document()
    const [body] = paths['/jobs'].post.requestBody.content['application/json'].schema.allOf
    const list = body.properties.urls.anyOf[0]
    expect(list).toMatchObject({ minItems: 1, maxItems: 5_000, items: { maxLength: 8_192, format: 'uri' } })
    expect(body.properties.files.anyOf[0].items.properties).toMatchObject({ url: {}, filename: {} })
    expect(body.properties.expires_in.anyOf[0]).toMatchObject({ minimum: 300, maximum: 5_184_000 })
    expect(JSON.stringify(body.properties.metadata)).toContain('"maxProperties":10')
    const limit = paths['/jobs'].get.parameters.find(({ name }: { name: string }) => name === 'limit')
    expect(limit.schema).toEqual({ type: 'integer', minimum: 1, maximum: 100, description: 'Default: 20.' })
    expect(JSON.stringify(paths['/jobs/{id}'].get)).not.toContain('requestBody')
  })

  test('shows every text that an error of a URL can have', async () => {
    const { components } = await document()
    expect(JSON.stringify(components.schemas.Job)).toContain('TLS certificate not trusted')
  })
})

describe('GET /docs', () => {
  test('is a page of all operations that asks nobody else for anything', async () => {
    const response = await fetch(`${service.origin}/docs`)
    const page = await response.text()
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    for (const { summary } of Object.values(OPERATIONS)) expect(page).toContain(summary)
    expect(page).not.toMatch(/<script|\bstyle=|(?:src|href)="(?:https?:)?\/\//)
    const local = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path)
    expect(new Set(local)).toEqual(new Set(['/docs/reference.css', '/openapi.json']))
    for (const path of local) expect((await fetch(`${service.origin}${path}`)).status).toBe(200)
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(id)
  })
})
