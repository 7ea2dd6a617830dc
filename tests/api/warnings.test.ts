import { describe, expect, test } from 'bun:test'
import { downloadArchive } from '../support/archive.ts'
import { openEventStream } from '../support/event-stream.ts'
import { forFile } from '../support/for-file.ts'
import { startOrigin } from '../support/origin.ts'
import { readZip } from '../support/read-zip.ts'
import { type ReplyBody, startService } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const origin = forFile(await startOrigin())
const service = forFile(await startService())

const HTML = {
  code: 'HTML_INSTEAD',
  message: 'The source sent a web page in place of a .pdf file. Open the link to see what the page says.',
}
const EMPTY = {
  code: 'EMPTY',
  message: 'The source sent a file of 0 bytes. Open the link to see whether the file is still there.',
}

const urlsOf = (...paths: readonly string[]) => paths.map((path) => origin.url(path))

async function entriesOf(jobId: string, query = ''): Promise<{ entries: ReplyBody[]; meta: ReplyBody }> {
  const reply = await service.request('GET', `/jobs/${jobId}/entries${query}`)
  expect(reply.status).toBe(200)
  return reply.body
}

const positionsOf = (entries: readonly ReplyBody[]) => entries.map(({ position }) => position)

const retry = (jobId: string, body: object) => service.request('POST', `/jobs/${jobId}/retry`, { body })

async function namesAndSizes(job: ReplyBody) {
  using dir = tempDir()
  await Bun.write(dir.file('a.zip'), (await downloadArchive(job.download_url)).bytes)
  return (await readZip(dir.file('a.zip'))).map(({ name, sizeBytes }) => [name, sizeBytes])
}

describe('An entry may carry a warning', () => {
  test('which is null when there is none; the job is completed and counts them', async () => {
    const job = await service.finishedJob(urlsOf('/page/a.pdf', '/files/report.pdf', '/empty/c.bin'))
    expect(job).toMatchObject({
      status: 'completed',
      file_count: 3,
      warning_count: 2,
      fail_on_warning: false,
    })
    expect(job.errors).toBeUndefined()
    const { entries } = await entriesOf(job.id)
    expect(entries.map(({ warning }) => warning)).toEqual([HTML, null, EMPTY])
    const list = await service.request('GET', '/jobs?limit=1')
    expect(list.body.jobs[0]).toMatchObject({ id: job.id, warning_count: 2, fail_on_warning: false })
  })

  test('the message names a sign-in page where the redirect tells one', async () => {
    const job = await service.finishedJob(urlsOf('/behind-sign-in/a.pdf?key=SECRET'))
    const { entries } = await entriesOf(job.id)
    expect(entries[0].warning).toEqual({
      code: 'HTML_INSTEAD',
      message:
        'The source sent a sign-in page in place of a .pdf file. Use a link that works without signing in.',
    })
  })

  test('GET /jobs/:id/entries takes warning, with status and cursor', async () => {
    const paths = ['/page/a.pdf', '/files/report.pdf', '/empty/c.bin', '/status/404', '/empty/e.bin']
    const job = await service.finishedJob(urlsOf(...paths), { fail_on_url_error: false })
    const first = await entriesOf(job.id, '?warning=true&limit=2')
    expect(positionsOf(first.entries)).toEqual([0, 2])
    expect(first.meta).toMatchObject({ total: 3, has_more: true })
    const second = await entriesOf(job.id, `?warning=true&limit=2&cursor=${first.meta.next_cursor}`)
    expect([positionsOf(second.entries), second.meta.has_more]).toEqual([[4], false])
    expect(positionsOf((await entriesOf(job.id, '?warning=true&status=stored')).entries)).toEqual([0, 2, 4])
    expect(positionsOf((await entriesOf(job.id, '?warning=true&status=failed')).entries)).toEqual([])
    expect(positionsOf((await entriesOf(job.id, '?warning=false&status=stored')).entries)).toEqual([1])
    expect(positionsOf((await entriesOf(job.id, '?warning=false')).entries)).toEqual([1, 3])
    expect((await service.request('GET', `/jobs/${job.id}/entries?warning=yes`)).body.error).toMatchObject({
      code: 'INVALID_REQUEST',
      issues: [{ path: 'warning' }],
    })
  })

  test('events and the job tell it while the job is processing', async () => {
    const isWatched = Promise.withResolvers<void>()
    await using source = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      idleTimeout: 255,
      async fetch() {
        await isWatched.promise
        return new Response('<!doctype html><p>Not here', { headers: { 'content-type': 'text/html' } })
      },
    })
    const urls = [`${source.url}a.pdf`, ...urlsOf('/silent')]
    const id = await service.createJob({ urls })
    await using events = await openEventStream(`${service.origin}/jobs/${id}/events`, service.key)
    await events.until('snapshot')
    isWatched.resolve()
    for (let entry = await events.until('entry'); entry.data.status !== 'stored'; )
      entry = await events.until('entry')
    expect((await events.until('progress')).data).toMatchObject({ entries: 1, warnings: 1 })
    expect((await service.request('GET', `/jobs/${id}`)).body.job).toMatchObject({
      status: 'processing',
      warning_count: 1,
    })
    expect((await entriesOf(id, '?warning=true')).entries).toMatchObject([{ position: 0, warning: HTML }])
    await service.request('DELETE', `/jobs/${id}`)
  })

  test('also one that was copied from a base', async () => {
    const urls = urlsOf('/page/based.pdf', '/files/report.pdf')
    const first = await service.finishedJob(urls)
    const second = await service.finishedJob(urls, { base: { job_id: first.id, reuse: 'all' } })
    expect(second).toMatchObject({ reused_count: 2, warning_count: 1 })
    expect((await entriesOf(second.id)).entries[0].warning).toEqual(HTML)
  })
})

describe('fail_on_warning', () => {
  test('makes them failures of the job, which a retry fetches again', async () => {
    const urls = urlsOf('/page/fixed.pdf?fixed_at=2', '/files/report.pdf')
    const job = await service.finishedJob(urls, { fail_on_warning: true })
    expect(job).toMatchObject({
      status: 'failed',
      failure: { code: 'URL_FAILED' },
      fail_on_warning: true,
      warning_count: 0,
      errors: [{ url: urls[0], error: 'Unexpected HTML' }],
    })
    expect((await entriesOf(job.id, '?status=failed')).entries).toMatchObject([
      { position: 0, error: 'Unexpected HTML', warning: null },
    ])
    expect((await retry(job.id, {})).body).toEqual({ success: true, job_id: job.id })
    expect(await service.jobIn(job.id, ['completed', 'failed'])).toMatchObject({
      status: 'completed',
      file_count: 2,
      warning_count: 0,
      fail_on_warning: true,
    })
  })

  test('with fail_on_url_error false leaves them out', async () => {
    const urls = urlsOf('/empty/a.pdf', '/page/b.pdf', '/files/report.pdf')
    const job = await service.finishedJob(urls, { fail_on_warning: true, fail_on_url_error: false })
    expect(job).toMatchObject({
      status: 'completed',
      file_count: 1,
      errors: [
        { url: urls[0], error: 'Empty file' },
        { url: urls[1], error: 'Unexpected HTML' },
      ],
    })
  })

  test('copies no entry with a warning from a base', async () => {
    const urls = urlsOf('/page/copied.pdf?run=copied', '/files/report.pdf')
    const first = await service.finishedJob(urls)
    for (const reuse of ['all', 'unchanged']) {
      const settings = { base: { job_id: first.id, reuse }, fail_on_warning: true, fail_on_url_error: false }
      const second = await service.finishedJob(urls, settings)
      expect(second).toMatchObject({ file_count: 1, errors: [{ error: 'Unexpected HTML' }] })
    }
  })

  test('must be a boolean', async () => {
    const body = { urls: urlsOf('/files/report.pdf'), fail_on_warning: 'yes' }
    expect((await service.request('POST', '/jobs', { body })).body.error).toMatchObject({
      code: 'INVALID_REQUEST',
      issues: [{ path: 'fail_on_warning' }],
    })
  })
})

describe('Retry of a completed job takes replace for positions with a warning', () => {
  const paths = ['/page/a.pdf', '/bytes/700/b.bin?run=replace', '/empty/c.bin']

  test('by way of base: a new job fetches the new URL, and copies the rest', async () => {
    const old = await service.finishedJob(urlsOf(...paths), {
      zip_filename: 'with warnings',
      metadata: { customer: '7' },
      expires_in: 600,
    })
    const url = origin.url('/files/report.pdf')
    const reply = await retry(old.id, { replace: [{ position: 0, url }] })
    expect(reply.status).toBe(200)
    expect(reply.body.job_id).not.toBe(old.id)
    const job = await service.jobIn(reply.body.job_id, ['completed', 'failed'])
    expect(job).toMatchObject({
      status: 'completed',
      urls: [url, ...old.urls.slice(1)],
      zip_filename: 'with warnings.zip',
      metadata: { customer: '7' },
      base: { job_id: old.id, reuse: 'all' },
      reused_count: 2,
      warning_count: 1,
    })
    expect(origin.requests('/bytes/700/b.bin?run=replace')).toHaveLength(1)
    expect((await namesAndSizes(job)).map(([name]) => name)).toEqual(['report.pdf', 'b.bin', 'c.bin'])
  })

  test('the old archive stays', async () => {
    const old = await service.finishedJob(urlsOf(...paths))
    const { job_id: id } = (
      await retry(old.id, { replace: [{ position: 2, url: origin.url('/status/404') }] })
    ).body
    expect(await service.jobIn(id, ['completed', 'failed'])).toMatchObject({ status: 'failed' })
    const { job } = (await service.request('GET', `/jobs/${old.id}`)).body
    expect(job).toMatchObject({ status: 'completed', warning_count: 2 })
    expect((await namesAndSizes(job)).map(([name]) => name)).toEqual(['a.pdf', 'b.bin', 'c.bin'])
  })

  test('the same URL is fetched again', async () => {
    const urls = urlsOf('/page/later.pdf?fixed_at=2')
    const old = await service.finishedJob(urls)
    const { job_id: id } = (await retry(old.id, { replace: [{ position: 0, url: urls[0] }] })).body
    expect(await service.jobIn(id, ['completed', 'failed'])).toMatchObject({
      reused_count: 0,
      warning_count: 0,
    })
  })

  test('of files, keeps the names', async () => {
    const files = [{ url: origin.url('/page/x'), filename: 'folder/report.pdf' }]
    const jobId = await service.createJob({ files })
    await service.jobIn(jobId, ['completed'])
    const url = origin.url('/files/report.pdf')
    const { job_id: id } = (await retry(jobId, { replace: [{ position: 0, url }] })).body
    const job = await service.jobIn(id, ['completed'])
    expect(job.files).toEqual([{ url, filename: 'folder/report.pdf' }])
  })

  test('any other position, or one twice, is INVALID_REQUEST; so is any other retry', async () => {
    const old = await service.finishedJob(urlsOf(...paths))
    const url = origin.url('/files/report.pdf')
    const replace = [0, 1, 0, 9].map((position) => ({ position, url }))
    expect((await retry(old.id, { replace })).body.error).toMatchObject({
      code: 'INVALID_REQUEST',
      issues: [
        { path: 'replace.1.position' },
        { path: 'replace.2.position' },
        { path: 'replace.3.position' },
      ],
    })
    for (const body of [{}, { replace: [] }, { skip_failed: true }])
      expect((await retry(old.id, body)).body.error).toEqual({
        code: 'INVALID_REQUEST',
        message: 'Only a failed job can be retried; this one is completed.',
      })
  })

  test('of another user, or of an archive that is no longer kept, is refused', async () => {
    const old = await service.finishedJob(urlsOf(...paths), { expires_in: 300 })
    const body = { replace: [{ position: 0, url: origin.url('/files/report.pdf') }] }
    const key = await service.addUser()
    const foreign = await service.request('POST', `/jobs/${old.id}/retry`, { body, key })
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'NOT_FOUND'])
    service.advance(300_000)
    expect((await retry(old.id, body)).body.error).toEqual({
      code: 'INVALID_REQUEST',
      message: 'The archive of this job is no longer kept. Create a new job.',
    })
  })
})

test('GET /download/:token/entries says which files are pages or empty, and nothing of their sources', async () => {
  const job = await service.finishedJob(urlsOf('/behind-sign-in/a.pdf', '/empty/b.bin', '/files/report.pdf'))
  const token = new URL(job.download_url).pathname.split('/')[2]
  const { body } = await service.request('GET', `/download/${token}/entries`, { key: null })
  expect(body.entries.map(({ warning }: ReplyBody) => warning)).toEqual([
    { code: 'HTML_INSTEAD', message: 'This file is a web page, and not what its name says.' },
    { code: 'EMPTY', message: 'This file is empty.' },
    null,
  ])
})
