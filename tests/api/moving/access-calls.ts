import { expect } from 'bun:test'
import type { Call, Context } from './call.ts'

/** Downloads an archive, and uses keys in each form. */
export function accessCalls({ service, job }: Context): readonly Call[] {
  return [
    [
      'GET /download/:token',
      'unchanged',
      async () => {
        const headers = { range: 'bytes=0-1' }
        const part = await fetch(job.download_url, { headers })
        expect([part.status, await part.text()]).toEqual([206, 'PK'])
        const changed = await fetch(job.download_url, { headers: { ...headers, 'if-range': '"another"' } })
        expect(changed.status).toBe(200)
      },
    ],
    [
      'X-API-Key',
      'unchanged',
      async () => {
        const headers = { 'x-api-key': service.key }
        expect((await service.request('GET', '/jobs', { key: null, headers })).status).toBe(200)
      },
    ],
    [
      'Authorization: Bearer',
      'unchanged',
      async () => {
        expect((await service.request('GET', '/jobs')).status).toBe(200)
        const headers = { 'x-api-key': 'another' }
        expect((await service.request('GET', '/jobs', { headers })).status).toBe(401)
      },
    ],
    [
      'GET /api-keys, POST /api-keys, DELETE /api-keys/:id',
      'unchanged',
      async () => {
        const made = await service.request('POST', '/api-keys', { body: { name: 'moved' } })
        expect([made.status, made.body.api_key.key]).toEqual([201, expect.any(String)])
        const { body } = await service.request('GET', '/api-keys')
        expect(body.api_keys[0]).toMatchObject({ id: made.body.api_key.id, name: 'moved' })
        expect(body.api_keys[0]).not.toHaveProperty('key')
        const revoked = await service.request('DELETE', `/api-keys/${made.body.api_key.id}`)
        expect(revoked.body).toEqual({ success: true, message: 'API key revoked' })
      },
    ],
  ]
}
