import { describe, expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'

const sources = forFile(startSources())
const service = forFile(await startService())

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

describe('4.5 GET /jobs: list jobs', () => {
  test('returns pages, newest first, which neither repeat nor omit a job while others are created and deleted', async () => {
    const key = await service.addUser('lister')
    const ids: string[] = []
    for (let index = 0; index < 5; index++) {
      ids.unshift((await service.finishedJob([sources.url('/ok/a')], {}, key)).id)
    }
    const first = await service.request('GET', '/jobs?limit=2', { key })
    expect(first.status).toBe(200)
    expect(first.body.meta).toEqual({ limit: 2, total: 5, next_cursor: expect.any(String), has_more: true })
    await service.finishedJob([sources.url('/ok/new')], {}, key)
    await service.request('DELETE', `/jobs/${ids[1]}`, { key })
    const second = await service.request('GET', `/jobs?limit=2&cursor=${first.body.meta.next_cursor}`, {
      key,
    })
    const third = await service.request('GET', `/jobs?limit=2&cursor=${second.body.meta.next_cursor}`, {
      key,
    })
    const seen = [first, second, third].flatMap((page) => page.body.jobs.map((job: { id: string }) => job.id))
    expect(seen).toEqual(ids)
    expect(third.body.meta).toEqual({ limit: 2, total: 5, next_cursor: null, has_more: false })
  })

  test('a list item omits urls, download_url, metadata and errors', async () => {
    await service.finishedJob([sources.url('/ok/a')])
    const { body } = await service.request('GET', '/jobs?limit=1&status=completed')
    expect(Object.keys(body.jobs[0]).sort()).toEqual([
      'completed_at',
      'created_at',
      'expires_at',
      'fail_on_url_error',
      'fail_on_warning',
      'file_count',
      'id',
      'manifest',
      'status',
      'url_count',
      'warning_count',
      'zip_filename',
      'zip_size',
    ])
  })

  test('filters by status', async () => {
    const key = await service.addUser('filterer')
    await service.finishedJob([sources.url('/ok/a')], {}, key)
    await service.finishedJob([sources.url('/404')], {}, key)
    const failed = await service.request('GET', '/jobs?status=failed', { key })
    expect(failed.body.jobs.map((job: { status: string }) => job.status)).toEqual(['failed'])
    expect(failed.body.meta.total).toBe(1)
    const pending = await service.request('GET', '/jobs?status=pending', { key })
    expect(pending.body).toMatchObject({ jobs: [], meta: { limit: 20, total: 0, has_more: false } })
  })

  test.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'limit=1.5',
    'limit=',
    'status=done',
    'sample=0',
    'sample=25',
    'cursor=',
    'cursor=abc',
    'cursor=MSAx',
    'cancelled=true',
    'cancelled=false&status=completed',
    'cancelled=1&status=failed',
    'search=',
    'search=%20',
    `search=${'x'.repeat(256)}`,
  ])('%s is INVALID_REQUEST', async (query) => {
    const reply = await service.request('GET', `/jobs?${query}`)
    expect([reply.status, reply.body.error.code]).toEqual([400, 'INVALID_REQUEST'])
  })

  test("does not return other users' jobs", async () => {
    const job = await service.finishedJob([sources.url('/ok/a')])
    const otherUsersKey = await service.addUser('other-user')
    const { body } = await service.request('GET', '/jobs', { key: otherUsersKey })
    expect(body).toMatchObject({ jobs: [], meta: { total: 0 } })
    const foreign = await service.request('GET', `/jobs/${job.id}`, { key: otherUsersKey })
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'NOT_FOUND'])
  })

  test('GET /jobs/stats counts the jobs of each status', async () => {
    const key = await service.addUser('counter')
    await service.finishedJob([sources.url('/ok/a')], {}, key)
    await service.finishedJob([sources.url('/404')], {}, key)
    const { body } = await service.request('GET', '/jobs/stats', { key })
    expect(body).toEqual({
      success: true,
      stats: { pending: 0, processing: 0, completed: 1, failed: 1, total: 2, cancelled: 0 },
    })
  })
})

describe('4.6 GET /jobs/:id: get a job', () => {
  test('with fail_on_url_error true, URLs that cannot be fetched fail the job, and are listed in errors, in URL order', async () => {
    const urls = [sources.url('/404?1'), sources.url('/ok/a'), sources.url('/404?2')]
    const job = await service.finishedJob(urls)
    expect(job).toMatchObject({ status: 'failed', completed_at: null, failure: { code: 'URL_FAILED' } })
    expect(job.errors).toEqual([
      { url: urls[0], error: 'HTTP 404' },
      { url: urls[2], error: 'HTTP 404' },
    ])
    expect(job.download_url).toBeUndefined()
    expect(Date.parse(job.expires_at)).toBeGreaterThan(Date.parse(job.created_at))
  })

  test('with fail_on_url_error false, such URLs are skipped and listed in errors, in URL order', async () => {
    const urls = [sources.url('/404?1'), sources.url('/ok/a'), sources.url('/404?2')]
    const job = await service.finishedJob(urls, { fail_on_url_error: false })
    expect(job).toMatchObject({ status: 'completed', file_count: 1, url_count: 3, fail_on_url_error: false })
    expect(job.errors).toEqual([
      { url: urls[0], error: 'HTTP 404' },
      { url: urls[2], error: 'HTTP 404' },
    ])
  })

  test.each([UNKNOWN_ID, 'nonsense', '..%2f', '%ff'])('is NOT_FOUND for %s', async (id) => {
    const reply = await service.request('GET', `/jobs/${id}`)
    expect([reply.status, reply.body.error.code]).toEqual([404, 'NOT_FOUND'])
  })

  test('GET /jobs/:id/entries returns one entry per URL, in pages, and can filter by status', async () => {
    const urls = [sources.url('/ok/a'), sources.url('/404'), sources.url('/ok/c')]
    const job = await service.finishedJob(urls, { fail_on_url_error: false })
    const first = await service.request('GET', `/jobs/${job.id}/entries?limit=2`)
    expect(first.body.entries).toEqual([
      {
        position: 0,
        url: urls[0],
        name: expect.any(String),
        size: 10,
        expected_size: null,
        status: 'stored',
        error: null,
        sha256: null,
        warning: null,
      },
      {
        position: 1,
        url: urls[1],
        name: null,
        size: 0,
        expected_size: null,
        sha256: null,
        status: 'failed',
        error: 'HTTP 404',
        warning: null,
      },
    ])
    const rest = await service.request('GET', `/jobs/${job.id}/entries?cursor=${first.body.meta.next_cursor}`)
    expect(rest.body.entries.map((entry: { position: number }) => entry.position)).toEqual([2])
    expect([first.body.meta.total, rest.body.meta.total]).toEqual([3, 3])
    const failed = await service.request('GET', `/jobs/${job.id}/entries?status=failed`)
    expect(failed.body.meta).toEqual({ limit: 20, total: 1, next_cursor: null, has_more: false })
    const stored = await service.request('GET', `/jobs/${job.id}/entries?status=stored&limit=1`)
    expect(stored.body.meta).toMatchObject({ total: 2, has_more: true })
    const last = await service.request(
      'GET',
      `/jobs/${job.id}/entries?status=stored&limit=1&cursor=${stored.body.meta.next_cursor}`,
    )
    expect(last.body.meta).toEqual({ limit: 1, total: 2, next_cursor: null, has_more: false })
    expect(failed.body.entries.map((entry: { position: number }) => entry.position)).toEqual([1])
  })
})

describe('4.7 POST /jobs/:id/retry: retry a failed job', () => {
  const retry = (id: string, body?: unknown) =>
    service.request('POST', `/jobs/${id}/retry`, body === undefined ? {} : { body })

  test('needs no body and makes the job pending again', async () => {
    const job = await service.finishedJob([sources.url('/404')])
    const reply = await retry(job.id)
    expect(reply).toMatchObject({ status: 200, body: { success: true, job_id: job.id } })
    expect(await service.jobIn(job.id, ['failed'])).toMatchObject({ errors: [{ error: 'HTTP 404' }] })
  })

  test('is refused with INVALID_REQUEST for a job that is not failed', async () => {
    const job = await service.finishedJob([sources.url('/ok/a')])
    const reply = await retry(job.id)
    expect([reply.status, reply.body.error.code]).toEqual([400, 'INVALID_REQUEST'])
  })

  test("is NOT_FOUND for unknown jobs and other users' jobs", async () => {
    const job = await service.finishedJob([sources.url('/404')])
    const key = await service.addUser('retrier')
    const foreign = await service.request('POST', `/jobs/${job.id}/retry`, { key })
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'NOT_FOUND'])
    expect((await retry(UNKNOWN_ID)).status).toBe(404)
  })

  test('replace changes URLs that failed, and only those', async () => {
    const job = await service.finishedJob([sources.url('/ok/a'), sources.url('/404')])
    const wrong = await retry(job.id, { replace: [{ position: 0, url: sources.url('/ok/x') }] })
    expect([wrong.status, wrong.body.error.issues[0].path]).toEqual([400, 'replace.0.position'])
    await retry(job.id, { from_checkpoint: false, replace: [{ position: 1, url: sources.url('/ok/b') }] })
    const done = await service.jobIn(job.id, ['completed'])
    expect(done.urls).toEqual([sources.url('/ok/a'), sources.url('/ok/b')])
    expect(done.errors).toBeUndefined()
  })

  test('skip_failed completes the job without its failed URLs, and does not change fail_on_url_error', async () => {
    const job = await service.finishedJob([sources.url('/ok/a'), sources.url('/404')])
    await retry(job.id, { skip_failed: true })
    const done = await service.jobIn(job.id, ['completed'])
    expect(done).toMatchObject({ fail_on_url_error: true, file_count: 1, errors: [{ error: 'HTTP 404' }] })
  })

  test('a field of the wrong type is INVALID_REQUEST', async () => {
    const job = await service.finishedJob([sources.url('/404')])
    expect((await retry(job.id, { from_checkpoint: 'yes' })).body.error.issues[0].path).toBe(
      'from_checkpoint',
    )
  })
})

describe('cancel and delete', () => {
  test('cancel fails a running job with CANCELLED, and it can be retried', async () => {
    const jobId = await service.createJob({ urls: [sources.url('/ok/a'), sources.url('/slow')] })
    await service.jobIn(jobId, ['processing'])
    const reply = await service.request('POST', `/jobs/${jobId}/cancel`)
    expect(reply).toMatchObject({ status: 200, body: { success: true, job_id: jobId } })
    const job = await service.jobIn(jobId, ['failed'])
    expect(job).toMatchObject({ failure: { code: 'CANCELLED' }, completed_at: null })
    const again = await service.request('POST', `/jobs/${jobId}/cancel`)
    expect([again.status, again.body.error.code]).toEqual([400, 'INVALID_REQUEST'])
    sources.release()
    await service.request('POST', `/jobs/${jobId}/retry`)
    expect(await service.jobIn(jobId, ['completed'])).toMatchObject({ file_count: 2 })
  })

  test('delete deletes the job and its archive at once', async () => {
    const job = await service.finishedJob([sources.url('/ok/a')])
    const reply = await service.request('DELETE', `/jobs/${job.id}`)
    expect(reply.body).toEqual({ success: true, message: 'Job deleted' })
    expect((await service.request('GET', `/jobs/${job.id}`)).status).toBe(404)
    expect((await service.request('DELETE', `/jobs/${job.id}`)).status).toBe(404)
    expect(await Bun.file(`${service.dataDir}/archives/${job.id}.zip`).exists()).toBe(false)
  })
})
