import { expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'

const sources = forFile(startSources())
const service = forFile(await startService())

test('GET /jobs finds jobs by a part of their name, host or link, in pages and within a status', async () => {
  const key = await service.addUser('searcher')
  const urls = [sources.url('/ok/Report%20100.pdf'), sources.url('/ok/b')]
  const byLink = await service.finishedJob(urls, { zip_filename: 'first' }, key)
  const failed = await service.finishedJob([sources.url('/404')], { zip_filename: 'ÜBER Report' }, key)
  const byName = await service.finishedJob([sources.url('/ok/c')], { zip_filename: 'report_2026' }, key)
  const find = async (query: string) => {
    const { body } = await service.request('GET', `/jobs?${query}`, { key })
    return { ids: body.jobs.map((job: { id: string }) => job.id), meta: body.meta }
  }
  const all = [byName.id, failed.id, byLink.id]
  expect((await find('search=REPORT')).ids).toEqual(all)
  expect((await find(`search=${new URL(sources.url('/')).host}`)).ids).toEqual(all)
  expect((await find('search=%20über%20')).ids).toEqual([failed.id])
  expect((await find('search=report&status=completed')).ids).toEqual([byName.id, byLink.id])
  // These are not wildcards.
  expect((await find('search=t%25201')).ids).toEqual([byLink.id])
  for (const text of ['rep%25100', 'report_100', '%5C'])
    expect((await find(`search=${text}`)).ids).toEqual([])

  const first = await find('search=report&limit=2')
  expect(first).toEqual({
    ids: [byName.id, failed.id],
    meta: { limit: 2, total: 3, next_cursor: expect.any(String), has_more: true },
  })
  const second = await find(`search=report&limit=2&cursor=${first.meta.next_cursor}`)
  expect(second).toEqual({
    ids: [byLink.id],
    meta: { limit: 2, total: 3, next_cursor: null, has_more: false },
  })
  const otherUser = await service.request('GET', '/jobs?search=report')
  expect(otherUser.body.jobs).toEqual([])
})

test('GET /jobs takes a text with commas or in brackets as it is', async () => {
  const key = await service.addUser('comma searcher')
  const { id } = await service.finishedJob([sources.url('/ok/a')], { zip_filename: 'maps, [1,2]' }, key)
  await service.finishedJob([sources.url('/ok/b')], { zip_filename: '1,2 maps' }, key)
  for (const text of ['maps, [', '[1,2]']) {
    const { body } = await service.request('GET', `/jobs?search=${encodeURIComponent(text)}`, { key })
    expect(body.jobs.map((job: { id: string }) => job.id)).toEqual([id])
  }
})

test('GET /jobs lists, and GET /jobs/stats counts, cancelled jobs apart from those that failed otherwise', async () => {
  const key = await service.addUser('canceller')
  const failed = await service.finishedJob([sources.url('/404')], {}, key)
  const jobId = await service.createJob({ urls: [sources.url('/slow')] }, key)
  const ended = await service.request('POST', `/jobs/${jobId}/cancel`, { key })
  expect(ended.status).toBe(200)
  const ids = async (cancelled: boolean) => {
    const { body } = await service.request('GET', `/jobs?status=failed&cancelled=${cancelled}`, { key })
    expect(body.meta.total).toBe(1)
    return body.jobs.map((job: { id: string }) => job.id)
  }
  expect(await ids(true)).toEqual([jobId])
  expect(await ids(false)).toEqual([failed.id])
  const counted = await service.request('GET', '/jobs/stats', { key })
  expect(counted.body.stats).toMatchObject({ failed: 2, cancelled: 1, total: 2 })
  await service.request('POST', `/jobs/${jobId}/retry`, { key })
  await service.request('DELETE', `/jobs/${failed.id}`, { key })
  const later = await service.request('GET', '/jobs/stats', { key })
  expect(later.body.stats).toMatchObject({ cancelled: 0, total: 1 })
})

test('GET /jobs with sample describes some files of each job, spread evenly over the URLs', async () => {
  const key = await service.addUser('sampler')
  const urls = Array.from({ length: 10 }, (_, index) => sources.url(`/ok/${index}`))
  const files = urls.map((url, index) => ({ url, filename: `${index}${index === 0 ? '' : '.TAR.GZ'}` }))
  const lastUrl = sources.url('/404')
  await service.finishedJob(
    [],
    { urls: null, files: [...files, { url: lastUrl }], fail_on_url_error: false },
    key,
  )
  const sampled = async (sample: number) => {
    const { body } = await service.request('GET', `/jobs?sample=${sample}`, { key })
    return body.jobs[0].sample
  }
  const host = new URL(lastUrl).hostname
  const size = expect.any(Number)
  expect(await sampled(2)).toEqual([
    { host, extension: 'txt', size },
    { host, extension: 'tar.gz', size },
  ])
  const all = await sampled(24)
  expect(all).toHaveLength(11)
  expect(all[10]).toEqual({ host, extension: '', size: null })
})
