import { describe, expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { startOrigin } from '../support/origin.ts'
import { startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { until } from '../support/until.ts'

const origin = forFile(await startOrigin())
const sources = forFile(startSources())
const service = forFile(await startService())

const getJob = async (id: string) => (await service.request('GET', `/jobs/${id}`)).body.job
const listItem = async (id: string) =>
  (await service.request('GET', '/jobs')).body.jobs.find((job: { id: string }) => job.id === id)
const entries = async (id: string) => (await service.request('GET', `/jobs/${id}/entries`)).body.entries

describe('2.2 and 3: a job while it runs', () => {
  test('updates file_count and zip_size, has no completed_at, and shows the status of each URL', async () => {
    const half = origin.url('/bytes/100000/b.bin?stall_at=50000&times=1')
    const id = await service.createJob({
      urls: [sources.url('/ok/a'), half, sources.url('/slow'), sources.url('/ok/d')],
    })
    await until(
      'two files are packed and the second URL has bytes',
      async () => (await getJob(id)).file_count >= 2 && (await entries(id))[1].size > 0,
    )
    const job = await getJob(id)
    expect(job).toMatchObject({ status: 'processing', completed_at: null, expires_at: null })
    expect(job.zip_size).toBeGreaterThan(0)
    expect(Object.keys(job)).not.toContainAnyValues(['download_url', 'failure', 'errors', 'files'])
    expect(await listItem(id)).toMatchObject({ status: 'processing', file_count: 2 })
    expect(await entries(id)).toMatchObject([
      { position: 0, status: 'stored', size: 10, error: null },
      { position: 1, status: 'fetching', url: half, error: null },
      { position: 2, status: 'waiting', size: 0, name: null, error: null },
      { position: 3, status: 'stored', size: 10, error: null },
    ])
    await service.request('DELETE', `/jobs/${id}`)
  })

  test('URLs that were not tried before the job ended are waiting, and not in errors', async () => {
    const id = await service.createJob({
      urls: [sources.url('/slow'), sources.url('/404')],
      fail_on_url_error: false,
    })
    await until('the job has errors', async () => (await getJob(id)).errors !== undefined)
    await service.request('POST', `/jobs/${id}/cancel`)
    const job = await service.jobIn(id, ['failed'])
    expect(job.failure.code).toBe('CANCELLED')
    expect(job.errors).toEqual([{ url: sources.url('/404'), error: 'HTTP 404' }])
    expect((await entries(id)).map(({ status }: { status: string }) => status)).toEqual(['waiting', 'failed'])
  })
})

describe('3.4: a failed job', () => {
  test('has its failure in the list, and otherwise only the fields of a list item', async () => {
    const { id } = await service.finishedJob([sources.url('/404')])
    const item = await listItem(id)
    expect(item.failure).toEqual({ code: 'URL_FAILED', message: expect.stringMatching(/^\S.*\.$/) })
    expect(item).toMatchObject({ status: 'failed', completed_at: null, expires_at: expect.any(String) })
    expect(Object.keys(item)).not.toContainAnyValues(['urls', 'download_url', 'metadata', 'errors'])
  })

  test('with fail_on_url_error false is ALL_URLS_FAILED when none of its URLs could be fetched', async () => {
    const job = await service.finishedJob([sources.url('/404'), sources.url('/404?2')], {
      fail_on_url_error: false,
    })
    expect(job).toMatchObject({ status: 'failed', failure: { code: 'ALL_URLS_FAILED' }, file_count: 0 })
    expect(job.errors).toHaveLength(2)
    expect(job.download_url).toBeUndefined()
  })
})

describe('3.5 and 4.7: retry', () => {
  const failing = async () => {
    const good = `/bytes/1000/good.bin?n=${crypto.randomUUID()}`
    const bad = `/bytes/1000/bad.bin?fail=1&fail_status=404&n=${crypto.randomUUID()}`
    const { id } = await service.finishedJob([origin.url(good), origin.url(bad)])
    return { id, good, bad }
  }

  test.each([
    ['from_checkpoint true (default) resumes from the checkpoint', undefined, 1],
    ['from_checkpoint false starts over', { from_checkpoint: false }, 2],
  ])('%s', async (_what, body, fetches) => {
    const { id, good, bad } = await failing()
    await service.request('POST', `/jobs/${id}/retry`, { body })
    const job = await service.jobIn(id, ['completed'])
    expect(job).toMatchObject({ file_count: 2, url_count: 2 })
    expect(origin.requests(good)).toHaveLength(fetches)
    expect(origin.requests(bad)).toHaveLength(2)
    expect(Object.keys(job)).not.toContainAnyValues(['failure', 'errors'])
  })

  test('fetches only the missing files, from the replaced URLs', async () => {
    const { id, good, bad } = await failing()
    const other = `/bytes/500/other.bin?n=${crypto.randomUUID()}`
    const replace = [{ position: 1, url: origin.url(other) }]
    await service.request('POST', `/jobs/${id}/retry`, { body: { replace } })
    expect(await service.jobIn(id, ['completed'])).toMatchObject({
      urls: [origin.url(good), origin.url(other)],
    })
    const counts = [good, bad, other].map((path) => origin.requests(path).length)
    expect(counts).toEqual([1, 1, 1])
  })

  test('sets expires_at to null', async () => {
    const { id, expires_at } = await service.finishedJob([sources.url('/404')])
    expect(expires_at).not.toBeNull()
    const replace = [{ position: 0, url: sources.url('/slow') }]
    await service.request('POST', `/jobs/${id}/retry`, { body: { replace } })
    const job = await getJob(id)
    expect(job).toMatchObject({ expires_at: null, completed_at: null, urls: [sources.url('/slow')] })
    expect(['pending', 'processing']).toContain(job.status)
  })
})
