import { expect } from 'bun:test'
import { startService } from '../../support/service.ts'
import type { Call, Context } from './call.ts'

/** Causes each status code of an error. */
export function errorCalls({ service, sources, job }: Context): readonly Call[] {
  const downloadPath = new URL(job.download_url).pathname

  return [
    [
      '400, 401, 403, 404, 500',
      'unchanged',
      async () => {
        const issues = [{ path: 'urls.0', message: expect.any(String) }]
        const invalid = await service.request('POST', '/jobs', { body: { urls: ['nothing'] } })
        expect([invalid.status, invalid.body]).toEqual([
          400,
          { success: false, error: { code: 'INVALID_REQUEST', message: expect.any(String), issues } },
        ])
        const others = [
          await service.request('GET', '/jobs', { key: 'wrong' }),
          await service.request('GET', '/download/wrong', { key: null }),
          await service.request('GET', `/jobs/${crypto.randomUUID()}`),
        ]
        expect(others.map(({ status }) => status)).toEqual([401, 403, 404])
        for (const { body } of others) expect(Object.keys(body.error)).toEqual(['code', 'message'])
        const { body } = await service.request('GET', '/openapi.json')
        expect(body.paths['/jobs'].post.responses[500].description).toBe('INTERNAL_ERROR')
      },
    ],
    [
      '405, 412, 413, 415, 416, 429, 503',
      'differs',
      async () => {
        await using full = await startService({ 'rate-limit': ['1'] })
        const key = await full.addUser('busy')
        full.stopClock()
        const post = (path: string, body: unknown, headers = {}) =>
          service.request('POST', path, { body, headers })
        const download = (headers: Record<string, string>) =>
          service.request('GET', downloadPath, { key: null, headers })
        full.setFreeBytes(() => 0)
        const replies = [
          await service.request('PUT', '/jobs'),
          await download({ 'if-match': '"another"' }),
          await post('/api-keys', { name: 'x'.repeat(70_000) }),
          await post('/jobs', 'urls', { 'content-type': 'text/plain' }),
          await download({ range: 'bytes=999999-' }),
          await full.request('GET', '/jobs', { key }).then(() => full.request('GET', '/jobs', { key })),
          await full.request('POST', '/jobs', { body: { urls: [sources.url('/ok/a')] } }),
        ]
        expect(replies.map(({ status }) => status).join(', ')).toBe('405, 412, 413, 415, 416, 429, 503')
        for (const { headers } of replies.slice(-2)) expect(headers.get('retry-after')).toMatch(/^\d+$/)
      },
    ],
  ]
}
