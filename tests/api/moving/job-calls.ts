import { expect } from 'bun:test'
import type { Call, Context } from './call.ts'

/** Creates, lists, gets and retries jobs. */
export function jobCalls({ service, sources, job }: Context): readonly Call[] {
  const files = [{ url: sources.url('/ok/a'), filename: 'first.txt' }, { url: sources.url('/ok/b') }]

  return [
    [
      'POST /jobs with files',
      'unchanged',
      async () => {
        const { status, body } = await service.request('POST', '/jobs', { body: { files } })
        expect([status, body]).toEqual([201, { success: true, job_id: expect.any(String) }])
        const made = await service.jobIn(body.job_id, ['completed'])
        expect([made.zip_filename, made.file_count]).toEqual([`archive-${body.job_id}.zip`, 2])
        expect(Date.parse(made.expires_at) - Date.parse(made.completed_at)).toBe(24 * 60 * 60 * 1000)
        expect([made.fail_on_url_error, made.metadata]).toEqual([true, {}])
      },
    ],
    [
      'POST /jobs with urls',
      'unchanged',
      async () => {
        const urls = [sources.url('/ok/a')]
        const { status, body } = await service.request('POST', '/jobs', { body: { urls } })
        expect([status, Object.keys(body)]).toEqual([201, ['success', 'job_id']])
        await service.jobIn(body.job_id, ['completed'])
        const both = await service.request('POST', '/jobs', { body: { urls, files } })
        expect(both.status).toBe(400)
      },
    ],
    [
      'zip_filename, expires_in, fail_on_url_error, metadata',
      'unchanged',
      async () => {
        const metadata = { order: '7' }
        const settings = { zip_filename: '{index}', expires_in: 300, fail_on_url_error: false, metadata }
        const made = await service.finishedJob([files[0]?.url ?? '', sources.url('/nothing')], settings)
        expect(made).toMatchObject({ status: 'completed', zip_filename: '{index}.zip', metadata })
        expect(made.errors).toEqual([{ url: sources.url('/nothing'), error: 'HTTP 404' }])
        for (const body of [
          { files, zip_filename: 'x'.repeat(256) },
          { files, expires_in: 299 },
          { files, metadata: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [n, ''])) },
          { files, metadata: { ['x'.repeat(129)]: '' } },
          { files, metadata: { order: 'x'.repeat(1_025) } },
        ]) {
          expect((await service.request('POST', '/jobs', { body })).status).toBe(400)
        }
      },
    ],
    [
      'GET /jobs',
      'unchanged',
      async () => {
        const { body } = await service.request('GET', '/jobs?limit=1&status=completed')
        expect([body.success, body.jobs.length, body.meta.limit]).toEqual([true, 1, 1])
        const next = await service.request('GET', `/jobs?limit=1&cursor=${body.meta.next_cursor}`)
        expect(next.body.jobs[0].created_at <= body.jobs[0].created_at).toBe(true)
        expect((await service.request('GET', '/jobs')).body.meta.limit).toBe(20)
        expect((await service.request('GET', '/jobs?limit=101')).status).toBe(400)
      },
    ],
    [
      'GET /jobs/stats',
      'unchanged',
      async () => {
        const { body } = await service.request('GET', '/jobs/stats')
        const names = ['pending', 'processing', 'completed', 'failed', 'total', 'cancelled']
        expect(Object.keys(body.stats)).toEqual(names)
      },
    ],
    [
      'GET /jobs/:id',
      'differs',
      async () => {
        const { body } = await service.request('GET', `/jobs/${job.id}`)
        expect(body.job).toMatchObject({ id: job.id, download_url: expect.any(String) })
        expect(body.job).not.toHaveProperty('zips')
      },
    ],
    [
      'POST /jobs/:id/retry',
      'unchanged',
      async () => {
        const failed = await service.finishedJob([sources.url('/nothing')])
        const { status, body } = await service.request('POST', `/jobs/${failed.id}/retry`)
        expect([status, body]).toEqual([200, { success: true, job_id: failed.id }])
        await service.jobIn(failed.id, ['failed'])
        const refused = await service.request('POST', `/jobs/${job.id}/retry`)
        expect(refused.body.error.code).toBe('INVALID_REQUEST')
      },
    ],
    [
      'limits of the free plan',
      'unchanged',
      async () => {
        const key = await service.addUser('free-user', 'free')
        const { body } = await service.request('GET', '/me', { key })
        expect(body.limits).toMatchObject({
          max_urls: 100,
          max_zip_bytes: 2e9,
          max_retention_seconds: 24 * 60 * 60,
        })
        const urls = Array.from({ length: 101 }, (_, n) => sources.url(`/ok/${n}`))
        const refused = await service.request('POST', '/jobs', { key, body: { urls } })
        expect([refused.status, refused.body.error.code]).toEqual([403, 'PLAN_LIMIT_EXCEEDED'])
      },
    ],
  ]
}
