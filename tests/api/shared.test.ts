import { describe, expect, test } from 'bun:test'
import { startFileSource } from '../support/file-source.ts'
import { forFile } from '../support/for-file.ts'
import { startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { until } from '../support/until.ts'

const source = forFile(
  startFileSource({
    'a.txt': { type: 'text/plain', body: 'the first file' },
    'b.html': { type: 'text/html', body: '<script>document.title = 1</script>' },
    'c.bin': { type: 'application/octet-stream', body: new Uint8Array(10).fill(7) },
  }),
)
const sources = forFile(startSources())
const service = forFile(await startService())
const job = await service.finishedJob([...source.urls, sources.url('/404')], {
  zip_filename: 'shared',
  fail_on_url_error: false,
  metadata: { customer: 'secret-customer' },
})
const path = new URL(job.download_url).pathname

/** All that a receiver sees of an archive that is not being packed. */
const SHOWN = ['expires_at', 'file_count', 'missing_count', 'status', 'zip_filename', 'zip_size']

const get = (suffix: string, at = service) => at.request('GET', `${path}${suffix}`, { key: null })

/** The id of a job that waits for `/slow`, and its token. */
async function unfinished(urls: readonly string[]): Promise<{ id: string; token: string }> {
  const id = await service.createJob({ urls })
  const { share_url } = (await service.request('GET', `/jobs/${id}`)).body.job
  return { id, token: new URL(share_url).pathname.split('/')[2] ?? '' }
}

describe('GET /download/:token/archive', () => {
  test('shows what a receiver may know, without a key', async () => {
    const reply = await get('/archive')
    expect(reply).toMatchObject({ status: 200 })
    expect(reply.body).toEqual({
      success: true,
      archive: {
        zip_filename: 'shared.zip',
        zip_size: job.zip_size,
        file_count: 3,
        expires_at: job.expires_at,
        status: 'completed',
        missing_count: 1,
      },
    })
    expect(reply.headers.get('cache-control')).toBe('no-store')
  })

  test('counts what is missing in an archive with a manifest, too', async () => {
    const { download_url } = await service.finishedJob([...source.urls, sources.url('/404')], {
      fail_on_url_error: false,
      manifest: true,
    })
    const { pathname } = new URL(download_url)
    const { body } = await service.request('GET', `${pathname}/archive`, { key: null })
    expect(body.archive).toMatchObject({ file_count: 5, missing_count: 1 })
  })

  test('shows the progress while the archive is being packed, and nothing else of it', async () => {
    await using own = startSources()
    const { id, token } = await unfinished([own.url('/ok/a'), own.url('/slow')])
    const archive = async () =>
      (await service.request('GET', `/download/${token}/archive`, { key: null })).body.archive
    await until('half of it is packed', async () => {
      const shown = await archive()
      expect([shown.expires_at, ['pending', 'processing'].includes(shown.status)]).toEqual([null, true])
      return shown.progress === 0.5
    })
    const list = await service.request('GET', `/download/${token}/entries`, { key: null })
    expect(list.body).toMatchObject({ entries: [], meta: { total: 0, has_more: false } })
    const file = await service.request('GET', `/download/${token}/entries/0`, { key: null })
    expect([file.status, file.body.error.code]).toEqual([403, 'INVALID_TOKEN'])
    own.release()
    await service.jobIn(id, ['completed'])
    expect(await archive()).toMatchObject({ status: 'completed', file_count: 2 })
    expect((await fetch(`${service.origin}/download/${token}`)).status).toBe(200)
  })

  test('of a failed job shows the status, and not why', async () => {
    await using own = startSources()
    const { id, token } = await unfinished([own.url('/404'), own.url('/slow')])
    own.release()
    await service.jobIn(id, ['failed'])
    const reply = await service.request('GET', `/download/${token}/archive`, { key: null })
    const { archive } = reply.body
    expect([reply.status, archive.status]).toEqual([200, 'failed'])
    expect(Object.keys(archive).toSorted()).toEqual(SHOWN)
  })
})

describe('GET /download/:token/entries', () => {
  test('lists position, name and size, page by page', async () => {
    const files = [
      { position: 0, name: 'a.txt', size: 14, warning: null },
      { position: 1, name: 'b.html', size: 35, warning: null },
      { position: 2, name: 'c.bin', size: 10, warning: null },
    ]
    const first = (await get('/entries?limit=2')).body
    expect(first.entries).toEqual(files.slice(0, 2))
    expect(first.meta).toMatchObject({ limit: 2, total: 3, has_more: true })
    const second = (await get(`/entries?limit=2&cursor=${first.meta.next_cursor}`)).body
    expect(second.entries).toEqual(files.slice(2))
    expect(second.meta).toMatchObject({ total: 3, has_more: false, next_cursor: null })
  })

  test('has the positions and names of GET /jobs/:id/entries, without the URLs that failed', async () => {
    const gaps = await service.finishedJob(
      [sources.url('/ok/a'), sources.url('/404'), sources.url('/ok/a')],
      { fail_on_url_error: false },
    )
    const own = (await service.request('GET', `/jobs/${gaps.id}/entries?status=stored`)).body.entries
    const { pathname } = new URL(gaps.download_url)
    const shared = (await service.request('GET', `${pathname}/entries`, { key: null })).body.entries
    const parts = (rows: { position: number; name: string }[]) =>
      rows.map(({ position, name }) => [position, name])
    expect(parts(shared)).toEqual([
      [0, 'a.txt'],
      [2, 'a (2).txt'],
    ])
    expect(parts(own)).toEqual(parts(shared))
  })

  test.each(['limit=0', 'limit=1001', 'limit=x', 'cursor=x'])(
    'refuses ?%s with INVALID_REQUEST',
    async (query) => {
      const reply = await get(`/entries?${query}`)
      expect([reply.status, reply.body.error.code]).toEqual([400, 'INVALID_REQUEST'])
    },
  )
})

describe('What a receiver gets', () => {
  test('contains nothing of the maker, the sources, their errors or the metadata', async () => {
    const texts = [
      JSON.stringify((await get('/archive')).body),
      JSON.stringify((await get('/entries')).body),
      ...(await Promise.all(
        [0, 1, 2, 3].map(async (position) => {
          const response = await fetch(`${service.origin}${path}/entries/${position}`)
          return JSON.stringify([...response.headers]) + (await response.text())
        }),
      )),
    ]
    for (const secret of ['127.0.0.1', 'owner', 'secret-customer', 'HTTP 404', service.key]) {
      expect(texts.filter((text) => text.includes(secret))).toEqual([])
    }
  })

  test.each(['/archive', '/entries', '/entries/0'])(
    '%s needs a token that is right and has not expired',
    async (suffix) => {
      await using own = await startService()
      const kept = await own.finishedJob([sources.url('/ok/a')], { expires_in: 300 })
      const { pathname } = new URL(kept.download_url)
      const codeAt = async (where: string) => {
        const reply = await own.request('GET', where, { key: null })
        return [reply.status, reply.body.error?.code]
      }
      expect(await codeAt(`/download/${'x'.repeat(80)}${suffix}`)).toEqual([403, 'INVALID_TOKEN'])
      expect(await codeAt(`${path}${suffix}`)).toEqual([403, 'INVALID_TOKEN'])
      own.advance(300_000)
      expect(await codeAt(pathname + suffix)).toEqual([403, 'EXPIRED_TOKEN'])
      const deleted = await own.finishedJob([sources.url('/ok/a')])
      await own.request('DELETE', `/jobs/${deleted.id}`)
      expect(await codeAt(new URL(deleted.download_url).pathname + suffix)).toEqual([403, 'EXPIRED_TOKEN'])
    },
  )

  test('wrong tokens are limited per address', async () => {
    await using own = await startService()
    own.stopClock()
    const statuses = new Set<number>()
    for (let tries = 0; tries < 310; tries++) {
      statuses.add((await fetch(`${own.origin}/download/wrong/archive`)).status)
    }
    expect(statuses).toEqual(new Set([403, 429]))
  })
})
