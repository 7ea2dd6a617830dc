import { describe, expect, test } from 'bun:test'
import { downloadArchive } from '../support/archive.ts'
import { newFolder, startChangingSite } from '../support/changing-site.ts'
import { forFile } from '../support/for-file.ts'
import { freePort } from '../support/free-port.ts'
import { readZip } from '../support/read-zip.ts'
import { createSchedule, runNow, runsOf, scheduleOf } from '../support/schedules.ts'
import { type ReplyBody, startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { tempDir } from '../support/temp-dir.ts'

const site = forFile(startChangingSite())
const service = forFile(await startService())

const folder = (files: Readonly<Record<string, string>>) => newFolder(site, files)

async function entriesOf(job: ReplyBody, query = ''): Promise<ReplyBody[]> {
  return (await service.request('GET', `/jobs/${job.id}/entries${query}`)).body.entries
}

async function textsIn(job: ReplyBody): Promise<Record<string, string>> {
  using dir = tempDir()
  await Bun.write(dir.file('a.zip'), (await downloadArchive(job.download_url)).bytes)
  const { stdout } = Bun.spawnSync(['unzip', '-p', dir.file('a.zip')])
  const names = (await readZip(dir.file('a.zip'))).map(({ name }) => name)
  return { names: names.join(' '), text: stdout.toString() }
}

describe('A later run', () => {
  test('copies what its sources confirm, and says what has changed', async () => {
    const files = folder({ 'a.bin': 'one', 'b.bin': 'two', 'c.bin': 'three' })
    const { id } = await createSchedule(service, { urls: files.urls })
    await runNow(service, id)
    site.sentBytes()
    files.set('b.bin', 'two, changed')
    const job = await runNow(service, id)
    expect(job).toMatchObject({
      status: 'completed',
      reused_count: 2,
      base: { reuse: 'unchanged' },
      changes: { added: 0, changed: 1, unchanged: 2, kept: 0, gone: 0 },
    })
    expect(site.sentBytes()).toBe('two, changed'.length)
    expect((await entriesOf(job)).map(({ change }) => change)).toEqual(['unchanged', 'changed', 'unchanged'])
    expect((await entriesOf(job, '?change=changed')).map(({ url }) => url)).toEqual([files.url('b.bin')])
  })

  test('with reuse none fetches all, and still compares', async () => {
    const files = folder({ 'a.bin': 'one', 'b.bin': 'two' })
    const { id } = await createSchedule(service, { urls: files.urls, reuse: 'none' })
    await runNow(service, id)
    site.sentBytes()
    const job = await runNow(service, id)
    expect(job).toMatchObject({ reused_count: 0, changes: { unchanged: 2 } })
    expect(site.sentBytes()).toBe(6)
  })

  test('of a changed list tells what was added and what is gone', async () => {
    const files = folder({ 'a.bin': 'one', 'b.bin': 'two', 'c.bin': 'three' })
    const [a, b, c] = files.urls
    const { id } = await createSchedule(service, { urls: [a, b] })
    await runNow(service, id)
    await service.request('PATCH', `/schedules/${id}`, { body: { urls: [b, c] } })
    const job = await runNow(service, id)
    expect(job.changes).toEqual({ added: 1, changed: 0, unchanged: 1, kept: 0, gone: 1 })
  })

  test('counts a URL that is on the list twice as two files, of which none is gone', async () => {
    const files = folder({ 'a.bin': 'one' })
    const [a] = files.urls
    const { id } = await createSchedule(service, { urls: [a, a] })
    await runNow(service, id)
    expect((await runNow(service, id)).changes).toMatchObject({ unchanged: 2, gone: 0 })
  })

  test('starts from the newest complete archive, not from a failed one', async () => {
    const files = folder({ 'a.bin': 'one' })
    const { id } = await createSchedule(service, { urls: files.urls, on_gone: 'fail' })
    const first = await runNow(service, id)
    files.set('a.bin', 404)
    expect(await runNow(service, id)).toMatchObject({ status: 'failed' })
    files.set('a.bin', 'one')
    expect((await runNow(service, id)).base).toEqual({ job_id: first.id, reuse: 'unchanged' })
  })
})

describe('When its archives are deleted by their owner', () => {
  test('a schedule starts from the newest one that is left, or from none', async () => {
    const files = folder({ 'a.bin': 'one' })
    const { id } = await createSchedule(service, { urls: files.urls })
    const first = await runNow(service, id)
    const second = await runNow(service, id)
    await service.request('DELETE', `/jobs/${second.id}`)
    const third = await runNow(service, id)
    expect(third).toMatchObject({ base: { job_id: first.id }, changes: { unchanged: 1 } })
    for (const { id } of [first, third]) await service.request('DELETE', `/jobs/${id}`)
    const fourth = await runNow(service, id)
    expect(fourth).toMatchObject({ status: 'completed', changes: { added: 1 } })
    expect(fourth.base).toBeUndefined()
  })

  test('also while a run starts from one, the run goes on', async () => {
    const files = folder({ 'a.bin': 'one' })
    await using sources = startSources()
    const { id } = await createSchedule(service, { urls: files.urls })
    const first = await runNow(service, id)
    const urls = [...files.urls, sources.url('/slow')]
    await service.request('PATCH', `/schedules/${id}`, { body: { urls } })
    const { body } = await service.request('POST', `/schedules/${id}/run`)
    await service.jobIn(body.job_id, ['processing'])
    await service.request('DELETE', `/jobs/${first.id}`)
    sources.release()
    const job = await service.jobIn(body.job_id, ['completed', 'failed'])
    expect(job).toMatchObject({ status: 'completed', file_count: 2 })
    expect((await textsIn(job)).text).toBe('oneslow')
  })
})

describe('A source that fails', () => {
  const signInPage = () =>
    new Response('<!doctype html><title>Sign in</title><input type="password">', {
      headers: { 'content-type': 'text/html' },
    })

  test.each([
    ['HTTP 404', 404],
    ['HTTP 410', 410],
    ['Unexpected HTML', signInPage],
  ] as const)('with %s is kept by its last good file, with the date of that', async (error, answer) => {
    const files = folder({ 'a.pdf': '%PDF one', 'b.pdf': '%PDF two' })
    const { id } = await createSchedule(service, { urls: files.urls })
    const first = await runNow(service, id)
    files.set('a.pdf', answer)
    const second = await runNow(service, id)
    expect(second).toMatchObject({ status: 'completed', file_count: 2, warning_count: 0 })
    expect(second.changes).toEqual({ added: 0, changed: 0, unchanged: 1, kept: 1, gone: 0 })
    expect((await entriesOf(second))[0]).toMatchObject({
      name: 'a.pdf',
      status: 'stored',
      change: 'kept',
      kept_from: first.completed_at,
      error,
    })
    expect(await textsIn(second)).toEqual({ names: 'a.pdf b.pdf', text: '%PDF one%PDF two' })

    // Kept again, it has the same date. Back again, it is none of this.
    const third = await runNow(service, id)
    expect((await entriesOf(third))[0]).toMatchObject({ change: 'kept', kept_from: first.completed_at })
    expect((await runsOf(service, id))[0]).toMatchObject({ kept_from: first.completed_at })
    files.set('a.pdf', '%PDF one')
    const fourth = await runNow(service, id)
    expect(fourth.changes).toEqual({ added: 0, changed: 0, unchanged: 2, kept: 0, gone: 0 })
    expect((await entriesOf(fourth))[0].kept_from).toBeUndefined()
  })

  test('is told as kept in the manifest, with the date of the file', async () => {
    const files = folder({ 'a.bin': 'one', 'b.bin': 'two' })
    const { id } = await createSchedule(service, { urls: files.urls, manifest: true })
    const first = await runNow(service, id)
    files.set('a.bin', 404)
    const second = await runNow(service, id)
    const manifest = await fetch(`${service.origin}/jobs/${second.id}/manifest`, {
      headers: { authorization: `Bearer ${service.key}` },
    })
    const lines = await manifest.text()
    const told = lines.trim().split('\n')
    expect(told.map((line) => JSON.parse(line))).toMatchObject([
      { name: 'a.bin', status: 200, kept_from: first.completed_at },
      { name: 'b.bin', status: 304 },
    ])
    expect(told[1]).not.toContain('kept_from')
    expect((await textsIn(second)).text).toContain(lines)
  })

  test('because its host is dead is kept, too', async () => {
    const files = folder({ 'b.bin': 'two' })
    using host = await startHost()
    const { id } = await createSchedule(service, { urls: [`${host.origin}/a.bin`, ...files.urls] })
    await runNow(service, id)
    host.stop()
    const job = await runNow(service, id)
    expect(job.changes).toEqual({ added: 0, changed: 0, unchanged: 1, kept: 1, gone: 0 })
    expect((await entriesOf(job))[0]).toMatchObject({ change: 'kept', error: 'Connection refused' })
  })

  test('is left out with leave_out, and is gone', async () => {
    const files = folder({ 'a.bin': 'one', 'b.bin': 'two' })
    const { id } = await createSchedule(service, { urls: files.urls, on_gone: 'leave_out' })
    await runNow(service, id)
    files.set('a.bin', 404)
    const job = await runNow(service, id)
    expect(job).toMatchObject({ status: 'completed', file_count: 1, changes: { unchanged: 1, gone: 1 } })
    expect(await entriesOf(job)).toMatchObject([
      { status: 'failed', change: 'gone' },
      { change: 'unchanged' },
    ])
    // It is gone once.
    expect((await runNow(service, id)).changes).toMatchObject({ unchanged: 1, gone: 0 })
  })

  test('fails the run with fail', async () => {
    const files = folder({ 'a.bin': 'one', 'b.bin': 'two' })
    const { id } = await createSchedule(service, { urls: files.urls, on_gone: 'fail' })
    await runNow(service, id)
    files.set('a.bin', 404)
    expect(await runNow(service, id)).toMatchObject({ status: 'failed', failure: { code: 'URL_FAILED' } })
    expect(await scheduleOf(service, id)).toMatchObject({ failed_runs: 1, last_run: { status: 'failed' } })
  })

  test('and was never there is left out, or fails the run if that is asked for', async () => {
    const files = folder({ 'a.bin': 'one' })
    const urls = [...files.urls, files.url('never.bin')]
    const tolerant = await createSchedule(service, { urls })
    expect(await runNow(service, tolerant.id)).toMatchObject({
      status: 'completed',
      changes: { added: 1, gone: 0 },
    })
    const strict = await createSchedule(service, { urls, fail_on_url_error: true })
    expect(await runNow(service, strict.id)).toMatchObject({ status: 'failed' })
  })

  test('together with all others fails the run, and the archive of the run before stays', async () => {
    const files = folder({ 'a.bin': 'one', 'b.bin': 'two' })
    const { id } = await createSchedule(service, { urls: files.urls })
    const first = await runNow(service, id)
    files.set('a.bin', 404)
    files.set('b.bin', 410)
    const second = await runNow(service, id)
    expect(second).toMatchObject({ status: 'failed', failure: { code: 'ALL_URLS_FAILED' } })
    expect((await service.request('GET', `/jobs/${first.id}`)).body.job.download_url).toBeString()
    // A retry asks them again.
    files.set('b.bin', 'two')
    await service.request('POST', `/jobs/${second.id}/retry`)
    const retried = await service.jobIn(second.id, ['completed', 'failed'])
    expect(retried.changes).toEqual({ added: 0, changed: 0, unchanged: 1, kept: 1, gone: 0 })
    expect(await runsOf(service, id)).toMatchObject([{ status: 'completed' }, { status: 'completed' }])
    expect((await scheduleOf(service, id)).failed_runs).toBe(0)
  })
})

describe('The page of the newest archive', () => {
  test('says what has changed, and offers the earlier archives', async () => {
    const files = folder({ 'a.bin': 'one', 'b.bin': 'two', 'c.bin': 'three' })
    const { id, latest_url } = await createSchedule(service, { name: 'Files', urls: files.urls, keep: 2 })
    const token = latest_url.split('/').at(-1)
    const shared = async () =>
      (await service.request('GET', `/download/${token}/archive`, { key: null })).body.archive
    const jobs = [await runNow(service, id), await runNow(service, id)]
    files.set('a.bin', 404)
    files.set('b.bin', 'two, changed')
    jobs.push(await runNow(service, id))
    const archive = await shared()
    expect(archive).toMatchObject({
      status: 'completed',
      expires_at: null,
      file_count: 3,
      changes: { added: 0, changed: 1, unchanged: 1, kept: 1, gone: 0 },
      kept_from: jobs[1].completed_at,
    })
    const [earlier, ...others] = archive.earlier
    expect(others).toEqual([])
    expect(earlier).toEqual({
      zip_filename: jobs[1].zip_filename,
      zip_size: jobs[1].zip_size,
      file_count: 3,
      completed_at: jobs[1].completed_at,
      share_url: jobs[1].share_url,
      changes: { added: 0, changed: 0, unchanged: 3, kept: 0, gone: 0 },
      kept_from: null,
    })
  })

  test('of one archive alone tells nothing of the others', async () => {
    const files = folder({ 'a.bin': 'one' })
    const { id } = await createSchedule(service, { urls: files.urls })
    await runNow(service, id)
    const { share_url } = await runNow(service, id)
    const token = share_url.split('/').at(-1)
    const { body } = await service.request('GET', `/download/${token}/archive`, { key: null })
    expect(Object.keys(body.archive).toSorted()).toEqual([
      'expires_at',
      'file_count',
      'missing_count',
      'status',
      'zip_filename',
      'zip_size',
    ])
  })
})

/** A host with one file, which can die. */
async function startHost() {
  const server = Bun.serve({
    // The system gives it to nobody else after the end.
    port: await freePort(),
    hostname: '127.0.0.1',
    fetch: () => new Response('one'),
  })
  return {
    origin: `http://127.0.0.1:${server.port}`,
    stop: () => void server.stop(true),
    [Symbol.dispose]: () => void server.stop(true),
  }
}
