import { describe, expect, test } from 'bun:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { OpenapiDocument } from '../../server/http/docs/openapi.ts'
import { forFile } from '../support/for-file.ts'
import { startService } from '../support/service.ts'

const service = forFile(await startService())

const document = async () => (await service.request('GET', '/openapi.json', { key: null })).body
const paths = async () => Object.entries<OpenapiDocument['paths'][string]>((await document()).paths)

describe('GET /openapi.json', () => {
  test('is valid according to the OpenAPI 3.1 schema', async () => {
    const validator = new Validator()
    const result = await validator.validate(await document())
    expect(result).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  test('describes exactly the methods that each path allows', async () => {
    for (const [template, operations] of await paths()) {
      const path = template.replace(/\{(\w+_)?id\}/g, crypto.randomUUID()).replace('{token}', 'x')
      const { status, headers } = await service.request('PUT', path)
      const allowed = headers.get('allow')?.split(', ') ?? []
      const described = Object.keys(operations).map((method) => method.toUpperCase())
      expect([template, status]).toEqual([template, 405])
      // GET implies HEAD, and GET /sign-in is a page of the UI.
      const implied = path === '/sign-in' ? ['HEAD', 'GET'] : ['HEAD']
      expect(allowed.filter((method) => !implied.includes(method)).toSorted()).toEqual(described.toSorted())
    }
  })

  test('has unique operation ids, and refers only to schemas that it defines', async () => {
    const text = JSON.stringify(await document())
    const ids = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const names = Object.keys(JSON.parse(text).components.schemas)
    for (const [, name] of text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g))
      expect(names).toContain(name ?? '')
  })

  test('states the limits of requests', async () => {
    const { paths } = await document()
    const body = paths['/jobs'].post.requestBody.content['application/json'].schema
    const list = body.properties.urls.anyOf[0]
    expect(list).toMatchObject({ minItems: 1, maxItems: 5_000, items: { maxLength: 8_192, format: 'uri' } })
    expect(body.properties.files.anyOf[0].items.properties).toMatchObject({ url: {}, filename: {} })
    expect(body.properties.expires_in.anyOf[0]).toMatchObject({ minimum: 300, maximum: 5_184_000 })
    expect(JSON.stringify(body.properties.metadata)).toContain('"maxProperties":10')
    const limit = paths['/jobs'].get.parameters.find(({ name }: { name: string }) => name === 'limit')
    expect(limit.schema).toEqual({ type: 'integer', minimum: 1, maximum: 100, description: 'Default: 20.' })
    expect(JSON.stringify(paths['/jobs/{id}'].get)).not.toContain('requestBody')
  })

  test('lists every error that a URL can have', async () => {
    const { components } = await document()
    expect(JSON.stringify(components.schemas.Job)).toContain('TLS certificate not trusted')
  })
})
