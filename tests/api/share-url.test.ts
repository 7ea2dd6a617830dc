import { expect, test } from 'bun:test'
import { openEventStream } from '../support/event-stream.ts'
import { forFile } from '../support/for-file.ts'
import { runCommand } from '../support/holdall-command.ts'
import { type ReplyBody, startService, type TestService } from '../support/service.ts'
import { type Sources, startSources } from '../support/sources.ts'

const service = forFile(await startService())

test('share_url is there from the creation of a job until it expires, and stays the same', async () => {
  await using sources = startSources()
  await using own = await startService()
  const job = await createWaiting(sources, own)
  expect(job.share_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/share\/[\w-]{80}$/)
  expect(job.share_url).toStartWith(`${own.origin}/`)
  expect(Object.keys(job)).not.toContain('download_url')
  expect(await own.jobIn(job.id, ['processing'])).toMatchObject({ share_url: job.share_url })
  sources.release()
  expect(await own.jobIn(job.id, ['completed'])).toMatchObject({ share_url: job.share_url })
  own.advance(86_400_000)
  expect(Object.keys(await jobOf(own, job.id))).not.toContainAnyValues(['share_url', 'download_url'])
  expect(await stateAt(own, job.share_url)).toEqual([403, 'EXPIRED_TOKEN'])
})

test('share_url shows the archive in every status, and its token downloads it, also while it is packed', async () => {
  await using sources = startSources()
  const { id, share_url } = await createWaiting(sources)
  const download = share_url.replace('/share/', '/download/')
  expect(await stateAt(service, share_url)).toEqual([200, expect.stringMatching(/pending|processing/)])
  const early = await fetch(download)
  expect(early.status).toBe(200)
  sources.release()
  const { download_url } = await service.jobIn(id, ['completed'])
  expect(await stateAt(service, share_url)).toEqual([200, 'completed'])
  const whole = await (await fetch(download_url)).bytes()
  expect(await early.bytes()).toEqual(whole)
  expect(await (await fetch(download)).bytes()).toEqual(whole)
})

test('A job that is cancelled has no share_url. After a retry it has the same one again, which then works to the end', async () => {
  await using sources = startSources()
  const { id, share_url } = await createWaiting(sources)
  await service.request('POST', `/jobs/${id}/cancel`)
  expect(Object.keys(await service.jobIn(id, ['failed']))).not.toContain('share_url')
  expect(await stateAt(service, share_url)).toEqual([200, 'failed'])
  sources.release()
  await service.request('POST', `/jobs/${id}/retry`)
  expect(await service.jobIn(id, ['completed'])).toMatchObject({ share_url })
  expect(await stateAt(service, share_url)).toEqual([200, 'completed'])
})

test('The share_url of a job that is deleted while it runs is EXPIRED_TOKEN', async () => {
  await using sources = startSources()
  const { id, share_url } = await createWaiting(sources)
  await service.request('DELETE', `/jobs/${id}`)
  expect(await stateAt(service, share_url)).toEqual([403, 'EXPIRED_TOKEN'])
})

test('GET /jobs/:id/events has share_url in snapshot and end, and GET /jobs has it nowhere', async () => {
  await using sources = startSources()
  const { id, share_url } = await createWaiting(sources)
  await using events = await openEventStream(`${service.origin}/jobs/${id}/events`, service.key)
  expect((await events.until('snapshot')).data).toMatchObject({ share_url })
  sources.release()
  const { data } = await events.until('end')
  expect(data).toMatchObject({ status: 'completed', share_url })
  expect(JSON.stringify((await service.request('GET', '/jobs')).body)).not.toContain('/share/')
})

test('A share_url from before secret rotate works on while its job runs, and ends with --end-links', async () => {
  await using sources = startSources()
  await using own = await startService()
  const { id, share_url: before } = await createWaiting(sources, own)
  await rotate(own)
  const { share_url: after } = await jobOf(own, id)
  expect(after).not.toBe(before)
  sources.release()
  await own.jobIn(id, ['completed'])
  for (const url of [before, after]) expect(await stateAt(own, url)).toEqual([200, 'completed'])
  await rotate(own, '--end-links')
  for (const url of [before, after]) expect(await stateAt(own, url)).toEqual([403, 'INVALID_TOKEN'])
})

/** A job that runs until `sources.release()`. */
async function createWaiting(sources: Sources, at: TestService = service): Promise<ReplyBody> {
  const urls = [sources.url('/ok/a'), sources.url('/slow')]
  return jobOf(at, await at.createJob({ urls }))
}

async function jobOf(at: TestService, id: string): Promise<ReplyBody> {
  return (await at.request('GET', `/jobs/${id}`)).body.job
}

/** What the page at a link shows: the status of the archive, or the code of the error. */
async function stateAt(at: TestService, shareUrl: string): Promise<[number, string]> {
  const path = `${new URL(shareUrl).pathname.replace('/share/', '/download/')}/archive`
  const { status, body } = await at.request('GET', path, { key: null })
  return [status, body.archive?.status ?? body.error.code]
}

async function rotate({ dataDir }: TestService, ...more: readonly string[]): Promise<void> {
  const { exitCode } = await runCommand(['secret', 'rotate', '--data', dataDir, ...more])
  expect(exitCode).toBe(0)
}
