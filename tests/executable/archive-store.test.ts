// test group: long
import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { downloadArchive } from '../support/archive.ts'
import { forFile } from '../support/for-file.ts'
import { runCommand } from '../support/holdall-command.ts'
import { expectKilledUploadsComplete } from '../support/kill-upload.ts'
import { startObjectStore } from '../support/object-store.ts'
import { startOrigin } from '../support/origin.ts'
import { startService, type TestService } from '../support/service.ts'
import { sha256 } from '../support/sha256.ts'
import { curl, expectDownloadable, storedJob } from '../support/stored-job.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

const store = forFile(await startObjectStore())
const origin = forFile(await startOrigin())
const TIMEOUT_MS = 240_000
let seed = 100

/** Other bodies each time, since tests count the requests for them. */
function nextJob() {
  seed += 1
  return storedJob(origin, seed)
}
function storing(
  prefix: string,
  env: Record<string, string> = store.env,
  more: Record<string, string[]> = {},
) {
  return startService({ 'archive-store': [store.address(prefix)], ...more }, undefined, env)
}

const objectsOf = async (prefix: string) =>
  (await store.objects()).filter((name) => name.startsWith(`${prefix}/`))
const untilGone = (prefix: string) =>
  until('no archive is in the store', async () => (await objectsOf(prefix)).length === 0)

const zipsOf = ({ dataDir }: TestService) =>
  readdirSync(join(dataDir, 'archives')).filter((name) => name.includes('.zip'))
const untilMoved = (service: TestService) =>
  until('no archive is on the disk', () => zipsOf(service).length === 0)

describe('With --archive-store', () => {
  test(
    'a download that began while the archive was packed goes on from the store, with the same ETag',
    async () => {
      await using service = await storing('early')
      const { urls } = nextJob()
      // The job ends no sooner than the download has begun.
      const id = await service.createJob({ urls: [...urls, origin.url('/bytes/100/last.bin?gate=early')] })
      const { early_download_url: url } = (await service.request('GET', `/jobs/${id}`)).body.job
      const early = await fetch(url)
      const reader = early.body?.getReader()
      const pieces = [(await reader?.read())?.value ?? new Uint8Array()]
      origin.open('early')
      const job = await service.jobIn(id, ['completed'])
      await untilMoved(service)
      for (;;) {
        const { value, done = true } = (await reader?.read()) ?? {}
        if (value !== undefined) pieces.push(value)
        if (done) break
      }
      const whole = (await downloadArchive(job.download_url)).bytes
      expect(sha256(Buffer.concat(pieces))).toBe(sha256(whole))

      const etag = early.headers.get('etag') ?? ''
      // The second is that of Firefox.
      for (const condition of ['if-range', 'if-match']) {
        const headers = { range: 'bytes=1000000-', [condition]: etag }
        const rest = await fetch(url, { headers, redirect: 'manual' })
        expect([rest.status, rest.headers.get('etag')]).toEqual([206, etag])
        expect(sha256(await rest.bytes())).toBe(sha256(whole.subarray(1_000_000)))
      }
    },
    TIMEOUT_MS,
  )

  test(
    'an archive is moved to the store, and is downloaded, listed, shared, copied and deleted as before',
    async () => {
      await using service = await storing('life')
      const { urls, paths, entries } = nextJob()
      const job = await service.finishedJob(urls, { zip_filename: 'Ärger (1)' })
      expect(job.status).toBe('completed')
      await untilMoved(service)
      expect(await objectsOf('life')).toHaveLength(1)
      expect(await store.unfinishedUploads()).toBe(0)

      const redirect = await fetch(job.download_url, { redirect: 'manual' })
      expect(redirect.status).toBe(307)
      expect(redirect.headers.get('location')).toStartWith(`http://${store.host}/`)
      const headers = await curl('-I', job.download_url)
      expect(headers).toContain(`Content-Length: ${job.zip_size}`)
      expect(headers).toContain("filename*=UTF-8''%C3%84rger%20%281%29.zip")
      await expectDownloadable(job.download_url, entries)

      const shared = `/download/${new URL(job.download_url).pathname.split('/')[2]}`
      const listed = await service.request('GET', `${shared}/entries`, { key: null })
      expect(listed.body.entries).toMatchObject(
        entries.map(({ name, sizeBytes }) => ({ name, size: sizeBytes })),
      )
      for (const [position, entry] of entries.entries()) {
        const url = `${service.origin}${shared}/entries/${position}`
        expect(sha256((await downloadArchive(url)).bytes)).toBe(entry.sha256)
      }
      const range = { headers: { range: 'bytes=1000-1999' } }
      const part = await fetch(`${service.origin}${shared}/entries/0`, range)
      expect([part.status, (await part.bytes()).length]).toEqual([206, 1000])

      const requestsBefore = paths.map((path) => origin.requests(path).length)
      const copy = await service.createJob({ urls, base: { job_id: job.id, reuse: 'all' } })
      const copied = await service.jobIn(copy, ['completed', 'failed'])
      expect(copied).toMatchObject({ status: 'completed', reused_count: 3 })
      expect(paths.map((path) => origin.requests(path).length)).toEqual(requestsBefore)
      await expectDownloadable(copied.download_url, entries)

      await service.request('DELETE', `/jobs/${job.id}`)
      service.advance(25 * 3600 * 1000)
      await service.app.sweeper.sweepNow()
      await untilGone('life')
      const status = (await service.request('GET', '/service')).body.service
      expect(status).toMatchObject({ archive_bytes: 0, archive_store: { waiting_uploads: 0, trouble: null } })
    },
    TIMEOUT_MS,
  )

  test(
    'and --archive-store-proxy, downloads go through the service',
    async () => {
      await using service = await storing('proxy', store.env, { 'archive-store-proxy': ['true'] })
      const { urls, entries } = nextJob()
      const job = await service.finishedJob(urls)
      const head = await fetch(job.download_url, { method: 'HEAD', redirect: 'manual' })
      expect([head.status, head.headers.get('content-length')]).toEqual([200, `${job.zip_size}`])
      await expectDownloadable(job.download_url, entries)
      const tail = await fetch(job.download_url, { headers: { range: 'bytes=-100' } })
      expect(tail.headers.get('content-range')).toEndWith(`-${job.zip_size - 1}/${job.zip_size}`)
      expect((await tail.bytes()).length).toBe(100)
      const unchanged = { headers: { 'if-none-match': head.headers.get('etag') ?? '' } }
      expect((await fetch(job.download_url, unchanged)).status).toBe(304)
      await store.stop()
      const refused = await service.request('GET', new URL(job.download_url).pathname, { key: null })
      await store.start()
      expect(refused).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE' } } })
    },
    TIMEOUT_MS,
  )

  test(
    'a store that is down delays the end of jobs, holds up no other job, and is not named',
    async () => {
      await using service = await storing('down', store.env, { jobs: ['1'] })
      await store.stop()
      const first = nextJob()
      const ids = [
        await service.createJob({ urls: first.urls }),
        await service.createJob({ urls: first.urls.slice(1) }),
      ]
      const status = async () => (await service.request('GET', '/service')).body.service.archive_store
      const untilWaiting = (uploads: number) =>
        until(`${uploads} uploads wait, and the trouble is known`, async () => {
          const { waiting_uploads, trouble } = await status()
          return waiting_uploads >= uploads && trouble !== null
        })
      await untilWaiting(2)
      for (const id of ids) expect((await service.jobIn(id, ['processing'])).download_url).toBeUndefined()
      const health = await service.request('GET', '/health', { key: null })
      expect(health).toMatchObject({
        status: 200,
        body: { archive_store: 'The archive store does not respond.' },
      })
      const shown = [
        ...service.logged,
        JSON.stringify([health.body, await service.request('GET', '/service')]),
      ]
      for (const secret of [store.host, ...Object.values(store.env)])
        expect(shown.filter((text) => text.includes(secret) && secret !== 'us-east-1')).toEqual([])

      const cancelled = await service.createJob({ urls: first.urls.slice(2) })
      await untilWaiting(3)
      await service.request('POST', `/jobs/${cancelled}/cancel`)
      await service.restart()
      await store.start()
      for (const id of ids)
        expect((await service.jobIn(id, ['completed', 'failed'])).status).toBe('completed')
      const job = await service.jobIn(ids[0] ?? '', ['completed'])
      await expectDownloadable(job.download_url, first.entries)
      await service.request('POST', `/jobs/${cancelled}/retry`)
      expect(await service.jobIn(cancelled, ['completed', 'failed'])).toMatchObject({ status: 'completed' })
      expect(await objectsOf('down')).toHaveLength(3)
    },
    TIMEOUT_MS,
  )

  test(
    'jobs wait while the credentials are wrong, and /health says so',
    async () => {
      const env: Record<string, string> = { ...store.env, AWS_SECRET_ACCESS_KEY: 'wrong' }
      await using service = await storing('wrong', env)
      const id = await service.createJob({ urls: nextJob().urls.slice(1) })
      const health = async () => (await service.request('GET', '/health', { key: null })).body.archive_store
      await until('/health says why jobs wait', health)
      expect(await health()).toStartWith('The archive store refuses the credentials. Check AWS_ACCESS_KEY_ID')
      expect(service.logged.filter((line) => line.includes('error')).join('\n')).toContain(
        'SignatureDoesNotMatch',
      )
      await service.whileStopped(async () => {
        env.AWS_SECRET_ACCESS_KEY = store.env.AWS_SECRET_ACCESS_KEY ?? ''
      })
      expect(await service.jobIn(id, ['completed', 'failed'])).toMatchObject({ status: 'completed' })
      expect(await health()).toBeUndefined()
    },
    TIMEOUT_MS,
  )

  test('the service does not start without credentials', async () => {
    using dir = tempDir()
    const flags = ['--data', dir.file('data'), '--archive-store', store.address('none'), '--no-open']
    expect(await runCommand(['serve', ...flags])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Set AWS_ACCESS_KEY_ID'),
    })
  })

  test(
    'a backup contains the archives of the store, or leaves them there',
    async () => {
      await using service = await storing('backup')
      const { urls, entries } = nextJob()
      const job = await service.finishedJob(urls)
      using dir = tempDir()
      const flags = ['--archive-store', store.address('backup')]
      const run = (args: string[]) => runCommand(args, { env: store.env })
      const restoredLink = async (name: string, more: string[]) => {
        const backup = await run(['backup', dir.file(name), '--data', service.dataDir, ...flags, ...more])
        expect(backup).toMatchObject({ exitCode: 0, stderr: '' })
        expect(await run(['restore', dir.file(name), '--data', dir.file(`${name}.data`)])).toMatchObject({
          exitCode: 0,
        })
        return new URL(job.download_url).pathname
      }
      const link = await restoredLink('whole.tar', [])
      await using local = await startService({ data: [dir.file('whole.tar.data')] })
      await expectDownloadable(`${local.origin}${link}`, entries)
      expect((await fetch(`${local.origin}${link}`, { redirect: 'manual' })).status).toBe(200)
      await restoredLink('without.tar', ['--exclude-archives'])
      const without = { data: [dir.file('without.tar.data')] }
      await using linked = await storing('backup', store.env, without)
      await expectDownloadable(`${linked.origin}${link}`, entries)
      expect(await objectsOf('backup')).toHaveLength(1)
    },
    TIMEOUT_MS,
  )

  test(
    'uploads that are killed at random moments are complete after the next start',
    async () => {
      await expectKilledUploadsComplete(store, 3, 1)
    },
    TIMEOUT_MS,
  )
})

test(
  'Without it again, packed archives stay on the disk, and those in the store are unavailable',
  async () => {
    const flags: Record<string, string[]> = { 'archive-store': [store.address('again')] }
    await using service = await startService(flags, undefined, store.env)
    const { urls, entries } = nextJob()
    const stored = await service.finishedJob(urls.slice(1))
    await store.stop()
    const id = await service.createJob({ urls })
    await until('the upload waits', async () => {
      const { body } = await service.request('GET', '/service')
      return body.service.archive_store.waiting_uploads > 0
    })
    await service.whileStopped(async () => {
      delete flags['archive-store']
    })
    const job = await service.jobIn(id, ['completed', 'failed'])
    await store.start()
    await expectDownloadable(job.download_url, entries)
    const path = new URL(stored.download_url).pathname
    expect((await service.request('GET', path, { key: null })).status).toBe(503)
  },
  TIMEOUT_MS,
)
