import { describe, expect, test } from 'bun:test'
import { downloadArchive } from '../support/archive.ts'
import { openEventStream } from '../support/event-stream.ts'
import { forFile } from '../support/for-file.ts'
import { expectedSha256, startOrigin } from '../support/origin.ts'
import { readZip } from '../support/read-zip.ts'
import { type ReplyBody, startService } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const origin = forFile(await startOrigin())
const service = forFile(await startService())

async function completed(body: object): Promise<ReplyBody> {
  return await service.jobIn(await service.createJob(body), ['completed', 'failed'])
}

async function contentOf(job: ReplyBody) {
  using dir = tempDir()
  await Bun.write(dir.file('a.zip'), (await downloadArchive(job.download_url)).bytes)
  return await readZip(dir.file('a.zip'))
}

const entry = (name: string, sizeBytes: number, seed = 1) => ({
  name,
  sizeBytes,
  sha256: expectedSha256(sizeBytes, seed),
})

describe('POST /jobs with base and reuse all', () => {
  test('copies what the base has without asking the source, and fetches the rest', async () => {
    const paths = [
      '/bytes/3000/a.bin?run=all',
      '/bytes/40000/b.bin?run=all',
      '/bytes/9000/c.txt?type=text/plain',
    ]
    const [a = '', b = '', c = ''] = paths.map(origin.url)
    const first = await completed({ urls: [a, c] })
    const second = await completed({ urls: [b, c, a], base: { job_id: first.id, reuse: 'all' } })
    expect(second).toMatchObject({
      status: 'completed',
      file_count: 3,
      base: { job_id: first.id, reuse: 'all' },
      reused_count: 2,
    })
    expect(await contentOf(second)).toMatchObject([
      entry('b.bin', 40_000),
      entry('c.txt', 9_000),
      entry('a.bin', 3_000),
    ])
    expect(paths.map((path) => origin.requests(path).length)).toEqual([1, 1, 1])
  })

  test('numbers names as if all had been fetched', async () => {
    const [one = '', two = '', three = ''] = [1, 2, 3].map((seed) =>
      origin.url(`/bytes/100/n.bin?seed=${seed}`),
    )
    const first = await completed({ urls: [one, two] })
    expect((await contentOf(first)).map(({ name }) => name)).toEqual(['n.bin', 'n (2).bin'])
    const second = await completed({ urls: [two, three, one], base: { job_id: first.id, reuse: 'all' } })
    expect(second.reused_count).toBe(2)
    expect(await contentOf(second)).toMatchObject([
      entry('n.bin', 100, 2),
      entry('n (2).bin', 100, 3),
      entry('n (3).bin', 100, 1),
    ])
    const third = await completed({ urls: [one], base: { job_id: second.id, reuse: 'all' } })
    expect(await contentOf(third)).toMatchObject([entry('n.bin', 100, 1)])
  })

  test('copies an entry only for the same URL with the same filename, and each time that the list has it', async () => {
    const path = '/bytes/500/f.bin?run=filename'
    const url = origin.url(path)
    const first = await completed({ files: [{ url, filename: 'x/1.bin' }, { url }] })
    const files = [{ url, filename: 'x/1.bin' }, { url, filename: 'x/2.bin' }, { url }, { url }]
    const second = await completed({ files, base: { job_id: first.id, reuse: 'all' } })
    expect(second).toMatchObject({ files, reused_count: 3 })
    expect((await contentOf(second)).map(({ name }) => name)).toEqual([
      'x/1.bin',
      'x/2.bin',
      'f.bin',
      'f (2).bin',
    ])
    expect(origin.requests(path)).toHaveLength(3)
  })

  test('fetches what failed in the base', async () => {
    const path = '/bytes/100/late.bin?fail=1&fail_status=404'
    const urls = [origin.url('/bytes/200/ok.bin?run=failed'), origin.url(path)]
    const first = await completed({ urls, fail_on_url_error: false })
    expect(first.errors).toHaveLength(1)
    const second = await completed({ urls, base: { job_id: first.id, reuse: 'all' } })
    expect(second).toMatchObject({ status: 'completed', reused_count: 1, file_count: 2 })
    expect(second.errors).toBeUndefined()
    expect(origin.requests(path)).toHaveLength(2)
  })

  test('copies an empty file', async () => {
    const url = origin.url('/bytes/0/empty.bin?run=empty')
    const first = await completed({ urls: [url] })
    const second = await completed({ urls: [url], base: { job_id: first.id, reuse: 'all' } })
    expect(second.reused_count).toBe(1)
    expect(await contentOf(second)).toMatchObject([entry('empty.bin', 0)])
  })
})

describe('POST /jobs with base and reuse unchanged', () => {
  test.each([
    ['a strong entity tag', '', 'if-none-match', '"2000-1"'],
    ['a weak entity tag', '&etag=weak', 'if-none-match', 'W/"2000-1"'],
    ['only a Last-Modified', '&etag=none', 'if-modified-since', 'Tue, 04 Mar 2025 05:06:08 GMT'],
  ])('asks a source that sent %s, and copies after 304', async (_what, query, header, value) => {
    const path = `/bytes/2000/u.bin?run=unchanged${query}`
    const url = origin.url(path)
    const first = await completed({ urls: [url] })
    const second = await completed({ urls: [url], base: { job_id: first.id, reuse: 'unchanged' } })
    expect(second.reused_count).toBe(1)
    const third = await completed({ urls: [url], base: { job_id: second.id, reuse: 'unchanged' } })
    expect(third.reused_count).toBe(1)
    expect(await contentOf(third)).toMatchObject([entry('u.bin', 2_000)])
    const requests = origin.requests(path)
    expect(requests.map(({ headers }) => headers.get(header))).toEqual([null, value, value])
  })

  test('takes the new body of a source that has changed from the same response', async () => {
    const path = '/bytes/2000/v.bin?changes_at=2'
    const first = await completed({ urls: [origin.url(path)] })
    const second = await completed({
      urls: [origin.url(path)],
      base: { job_id: first.id, reuse: 'unchanged' },
    })
    expect(second.reused_count).toBe(0)
    expect(await contentOf(second)).toMatchObject([entry('v.bin', 2_000, 2)])
    expect(origin.requests(path)).toHaveLength(2)
  })

  test('fetches a source without a validator anew', async () => {
    const path = '/bytes/2000/w.bin?etag=none&last_modified=none'
    const first = await completed({ urls: [origin.url(path)] })
    const second = await completed({
      urls: [origin.url(path)],
      base: { job_id: first.id, reuse: 'unchanged' },
    })
    expect(second.reused_count).toBe(0)
    const [, request] = origin.requests(path)
    expect(request?.headers.get('if-none-match') ?? request?.headers.get('if-modified-since')).toBeNull()
  })

  test('asks only the URL that sent the validator, behind redirects too', async () => {
    const target = '/bytes/2000/r.bin?run=redirected'
    const url = origin.url(`/redirect/1?to=${encodeURIComponent(target)}`)
    const first = await completed({ urls: [url] })
    const second = await completed({ urls: [url], base: { job_id: first.id, reuse: 'unchanged' } })
    expect(second.reused_count).toBe(1)
    const asked = (path: string) => origin.requests(path).at(-1)?.headers.get('if-none-match')
    expect(asked('/redirect/1')).toBeNull()
    expect(asked(target)).toBe('"2000-1"')
  })

  test('a source that fails now fails the job, although the base has its entry', async () => {
    let isGone = false
    await using source = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () => new Response('here', { status: isGone ? 410 : 200, headers: { etag: '"1"' } }),
    })
    const urls = [source.url.href]
    const first = await completed({ urls })
    isGone = true
    const second = await completed({ urls, base: { job_id: first.id, reuse: 'unchanged' } })
    expect(second).toMatchObject({ status: 'failed', errors: [{ error: 'HTTP 410' }], reused_count: 0 })
    const third = await completed({ urls, base: { job_id: first.id, reuse: 'all' } })
    expect(third).toMatchObject({ status: 'completed', reused_count: 1 })
  })
})

describe('The events of a job with a base', () => {
  test('show base and reused_count, and copied entries as stored', async () => {
    const url = origin.url('/bytes/2000/e.bin?run=events')
    const first = await completed({ urls: [url] })
    const urls = [url, origin.url('/bytes/2000/slow.bin?delay_ms=300')]
    const jobId = await service.createJob({ urls, base: { job_id: first.id, reuse: 'all' } })
    await using events = await openEventStream(`${service.origin}/jobs/${jobId}/events`, service.key)
    const received = await events.rest()
    expect(received.at(-1)).toMatchObject({
      name: 'end',
      data: { reused_count: 1, base: { job_id: first.id } },
    })
    const { body: page } = await service.request('GET', `/jobs/${jobId}/entries`)
    expect(page.entries).toMatchObject([
      { position: 0, url, name: 'e.bin', size: 2000, status: 'stored' },
      { position: 1, status: 'stored' },
    ])
  })
})
