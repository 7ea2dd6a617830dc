import { expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { startOrigin } from '../support/origin.ts'
import { type ReplyBody, startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'

const origin = forFile(await startOrigin())
const service = forFile(await startService())

const jobOf = async (id: string): Promise<ReplyBody> => (await service.request('GET', `/jobs/${id}`)).body.job

/** How many files, and which status, the page of a share link shows; else the code of the error. */
async function shownAt(shareUrl: string) {
  const reply = await fetch(`${shareUrl.replace('/share/', '/download/')}/archive`)
  const body = (await reply.json()) as ReplyBody
  return body.success ? [body.archive.status, body.archive.file_count] : body.error.code
}

const etagAt = async (shareUrl: string) =>
  (await fetch(shareUrl.replace('/share/', '/download/'), { method: 'HEAD' })).headers.get('etag')

const [ONE, TWO, THREE] = [1, 2, 3].map((number) => origin.url(`/bytes/100/${number}.bin`)) as [
  string,
  string,
  string,
]

test('The share link of a replaced archive opens the new one once that is complete, and the old one until then; early_download_url opens the new one at once', async () => {
  await using sources = startSources()
  const old = await service.finishedJob([ONE])
  const id = await service.createJob({ urls: [ONE, sources.url('/slow')], replaces: old.id })
  expect((await service.jobIn(id, ['processing'])).share_url).toBe(old.share_url)
  expect(await shownAt(old.share_url)).toEqual(['completed', 1])
  expect(await etagAt(old.share_url)).toBe(`"${old.id}"`)
  const early: string = (await jobOf(id)).early_download_url
  expect(await shownAt(early)).toContain('processing')
  expect(await jobOf(old.id)).not.toContainAnyKeys(['replaced_by', 'earlier_versions'])
  sources.release()
  const job = await service.jobIn(id, ['completed'])
  expect(job.share_url).toBe(old.share_url)
  expect(await shownAt(old.share_url)).toEqual(['completed', 2])
  expect(await etagAt(old.share_url)).toBe(`"${id}"`)
  expect(await etagAt(early)).toBe(`"${id}"`)
})

test('A replaced archive has no share_url and names its successor, whose earlier_versions name it; its download_url stays its own', async () => {
  const old = await service.finishedJob([ONE])
  const { id } = await service.finishedJob([ONE, TWO], { replaces: old.id })
  const replaced = await jobOf(old.id)
  expect(replaced).toMatchObject({ replaced_by: id, download_url: old.download_url })
  expect(Object.keys(replaced)).not.toContainAnyValues(['share_url', 'earlier_versions'])
  expect((await fetch(old.download_url, { method: 'HEAD' })).headers.get('etag')).toBe(`"${old.id}"`)
  const job = await jobOf(id)
  expect(Object.keys(job)).not.toContain('replaced_by')
  expect(job.earlier_versions).toEqual([
    {
      job_id: old.id,
      file_count: 1,
      zip_size: old.zip_size,
      completed_at: old.completed_at,
      expires_at: old.expires_at,
    },
  ])
})

test('The last archive to be completed has the link, also when two replace the same one, or one that was replaced', async () => {
  const first = await service.finishedJob([ONE])
  const second = await service.finishedJob([ONE, TWO], { replaces: first.id })
  const third = await service.finishedJob([ONE, TWO, THREE], { replaces: first.id })
  expect(await shownAt(first.share_url)).toEqual(['completed', 3])
  expect(await jobOf(second.id)).toMatchObject({ replaced_by: third.id })
  expect(await jobOf(first.id)).toMatchObject({ replaced_by: third.id })
  const job = await jobOf(third.id)
  expect(job.earlier_versions.map(({ job_id }: ReplyBody) => job_id)).toEqual([second.id, first.id])
})

test('An archive that fails takes no link', async () => {
  const old = await service.finishedJob([ONE])
  const failed = await service.finishedJob([origin.url('/status/404')], { replaces: old.id })
  expect(failed.status).toBe('failed')
  expect(Object.keys(failed)).not.toContain('share_url')
  expect(await shownAt(old.share_url)).toEqual(['completed', 1])
  expect(await jobOf(old.id)).toMatchObject({ share_url: old.share_url })
})

test('When the archive with the link is deleted, the link does not open an earlier one again', async () => {
  const old = await service.finishedJob([ONE])
  const { id } = await service.finishedJob([ONE, TWO], { replaces: old.id })
  await service.request('DELETE', `/jobs/${id}`)
  expect(await shownAt(old.share_url)).toBe('EXPIRED_TOKEN')
  expect(Object.keys(await jobOf(old.id))).not.toContainAnyValues(['share_url', 'replaced_by'])
})

test('When the earlier archive is deleted first, the new one still takes over its link', async () => {
  await using sources = startSources()
  const old = await service.finishedJob([ONE])
  const id = await service.createJob({ urls: [ONE, sources.url('/slow')], replaces: old.id })
  await service.request('DELETE', `/jobs/${old.id}`)
  expect(await shownAt(old.share_url)).toBe('EXPIRED_TOKEN')
  sources.release()
  await service.jobIn(id, ['completed'])
  expect(await shownAt(old.share_url)).toEqual(['completed', 2])
})

test('Retry of a completed job with replace gives the new archive the link of the old one', async () => {
  const old = await service.finishedJob([origin.url('/empty/a.bin'), ONE])
  const replace = [{ position: 0, url: TWO }]
  const reply = await service.request('POST', `/jobs/${old.id}/retry`, { body: { replace } })
  const job = await service.jobIn(reply.body.job_id, ['completed'])
  expect(job.share_url).toBe(old.share_url)
  expect(await etagAt(old.share_url)).toBe(`"${job.id}"`)
})

test("replaces must be a job of one's own", async () => {
  const other = await startService()
  await using _ = other
  const foreign = await other.finishedJob([ONE])
  for (const replaces of [foreign.id, crypto.randomUUID()]) {
    const reply = await service.request('POST', '/jobs', { body: { urls: [ONE], replaces } })
    expect([reply.status, reply.body.error.code]).toEqual([404, 'NOT_FOUND'])
  }
  const malformed = await service.request('POST', '/jobs', { body: { urls: [ONE], replaces: 'x' } })
  expect([malformed.status, malformed.body.error.code]).toEqual([400, 'INVALID_REQUEST'])
})
