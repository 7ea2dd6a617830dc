import { describe, expect, test } from 'bun:test'
import { createHoldallClient } from '../../server/client/client.ts'
import { downloadArchive } from '../support/archive.ts'
import { forFile } from '../support/for-file.ts'
import { expectedSha256, startOrigin } from '../support/origin.ts'
import { readZip } from '../support/read-zip.ts'
import { type ReplyBody, startService } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const origin = forFile(await startOrigin())
const service = forFile(await startService())

const completed = async (body: object): Promise<ReplyBody> =>
  await service.jobIn(await service.createJob(body), ['completed', 'failed'])

async function filesOf(job: ReplyBody): Promise<Record<string, string>> {
  using dir = tempDir()
  await Bun.write(dir.file('a.zip'), (await downloadArchive(job.download_url)).bytes)
  expect(Bun.spawnSync(['unzip', '-q', 'a.zip', '-d', 'files'], { cwd: dir.path }).exitCode).toBe(0)
  const check = Bun.spawnSync(['sha256sum', '--check', '--strict', 'SHA256SUMS'], { cwd: dir.file('files') })
  expect(check.exitCode).toBe(0)
  const names = (await readZip(dir.file('a.zip'))).map(({ name }) => name)
  const texts = names.map(async (name) => [name, await Bun.file(dir.file(`files/${name}`)).text()] as const)
  return Object.fromEntries(await Promise.all(texts))
}

const manifestOf = (jobId: string, key = service.key) =>
  fetch(`${service.origin}/jobs/${jobId}/manifest`, { headers: { authorization: `Bearer ${key}` } })

const entriesOf = async (jobId: string) =>
  (await service.request('GET', `/jobs/${jobId}/entries`)).body.entries

describe('POST /jobs with manifest', () => {
  test('adds the two files last, counts them, and GET /jobs/:id/manifest gives the same lines', async () => {
    const urls = ['/bytes/3000/a.bin', '/status/404', '/bytes/90000/b.bin'].map(origin.url)
    const job = await completed({ urls, manifest: true, fail_on_url_error: false })
    expect(job).toMatchObject({ status: 'completed', manifest: true, url_count: 3, file_count: 4 })
    const files = await filesOf(job)
    expect(Object.keys(files)).toEqual(['a.bin', 'b.bin', 'sources.jsonl', 'SHA256SUMS'])
    const response = await manifestOf(job.id)
    expect(response.headers.get('content-type')).toBe('application/x-ndjson')
    expect(await response.text()).toBe(files['sources.jsonl'] ?? '')
    expect(await entriesOf(job.id)).toMatchObject([
      { position: 0, sha256: expectedSha256(3000) },
      { position: 1, sha256: null, status: 'failed' },
      { position: 2, sha256: expectedSha256(90_000) },
    ])
    const list = await service.request('GET', '/jobs?limit=1')
    expect(list.body.jobs[0]).toMatchObject({ manifest: true, file_count: 4 })
  })

  test('receivers of the archive see both files, and can open them', async () => {
    const job = await completed({ urls: [origin.url('/bytes/100/a.bin')], manifest: true })
    const { body } = await service.request('GET', new URL(`${job.download_url}/entries`).pathname, {
      key: null,
    })
    expect(body.entries.map(({ name }: { name: string }) => name)).toEqual([
      'a.bin',
      'sources.jsonl',
      'SHA256SUMS',
    ])
    expect(body.meta.total).toBe(3)
    const sums = await fetch(`${job.download_url}/entries/2`)
    expect(await sums.text()).toStartWith(`${expectedSha256(100)}  a.bin\n`)
  })

  test('the typed client reads it', async () => {
    const client = createHoldallClient({ url: service.origin, key: service.key })
    const { id } = await client.createJob({
      files: [{ url: origin.url('/bytes/100/a.bin'), sha256: expectedSha256(100) }],
      manifest: true,
    })
    await client.waitForJob(id)
    const lines = await Array.fromAsync(client.readManifest(id))
    expect(lines).toMatchObject([{ name: 'a.bin', status: 200, sha256: expectedSha256(100) }])
    const { id: plain } = await client.createJob({ urls: [origin.url('/bytes/100/a.bin')] })
    await client.waitForJob(plain)
    await expect(Array.fromAsync(client.readManifest(plain))).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('GET /jobs/:id/manifest is NOT_FOUND without it, before completion, and for others', async () => {
    const path = (id: string) => `/jobs/${id}/manifest`
    const plain = await completed({ urls: [origin.url('/bytes/100/a.bin')] })
    expect(plain.manifest).toBe(false)
    const failed = await completed({ urls: [origin.url('/status/404')], manifest: true })
    const jobId = await service.createJob({
      urls: [origin.url('/bytes/100/a.bin?stall_at=50')],
      manifest: true,
    })
    for (const id of [plain.id, failed.id, jobId, crypto.randomUUID()]) {
      const reply = await service.request('GET', path(id))
      expect([reply.status, reply.body.error.code]).toEqual([404, 'NOT_FOUND'])
    }
    await service.request('DELETE', `/jobs/${jobId}`)
    const job = await completed({ urls: [origin.url('/bytes/100/a.bin')], manifest: true })
    expect((await manifestOf(job.id, await service.addUser())).status).toBe(404)
    expect((await manifestOf(job.id)).status).toBe(200)
  })

  test('after a retry with replace, it names the new URL', async () => {
    const dead = origin.url('/status/404?run=replace')
    const failed = await completed({ urls: [origin.url('/bytes/100/a.bin'), dead], manifest: true })
    expect(failed).toMatchObject({ status: 'failed', manifest: true })
    const url = origin.url('/bytes/200/b.bin')
    await service.request('POST', `/jobs/${failed.id}/retry`, { body: { replace: [{ position: 1, url }] } })
    const job = await service.jobIn(failed.id, ['completed'])
    expect(job.file_count).toBe(4)
    expect((await filesOf(job))['sources.jsonl']?.split('\n')[1]).toContain(`"url":"${url}"`)
  })

  test('a job made of a completed one by replace has a manifest, too', async () => {
    const urls = [origin.url('/bytes/100/a.bin'), origin.url('/empty/b.bin')]
    const first = await completed({ urls, manifest: true })
    const url = origin.url('/bytes/200/b.bin')
    const replace = [{ position: 1, url }]
    const { body } = await service.request('POST', `/jobs/${first.id}/retry`, { body: { replace } })
    const job = await service.jobIn(body.job_id, ['completed'])
    expect(job).toMatchObject({ manifest: true, reused_count: 1, file_count: 4 })
    const lines = (await (await manifestOf(job.id)).text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    // The copy has the record of the fetch that brought it.
    expect(lines).toMatchObject([
      { name: 'a.bin', url: urls[0], status: 200, etag: '"100-1"', sha256: expectedSha256(100) },
      { name: 'b.bin', url, status: 200 },
    ])
    await filesOf(job)
  })

  test('of a copy that its source calls unchanged, it says 304 and what is known', async () => {
    const url = origin.url('/bytes/5000/a.bin?run=unchanged-manifest')
    const plain = await completed({ urls: [url] })
    const base = { job_id: plain.id, reuse: 'unchanged' }
    const job = await completed({ urls: [url], manifest: true, base })
    expect(job.reused_count).toBe(1)
    const line = JSON.parse(await (await manifestOf(job.id)).text())
    expect(line).toMatchObject({
      name: 'a.bin',
      url,
      final_url: url,
      status: 304,
      content_type: null,
      etag: '"5000-1"',
      last_modified: '2025-03-04T05:06:08.000Z',
      sha256: expectedSha256(5000),
    })
    await filesOf(job)
    const all = await completed({ urls: [url], manifest: true, base: { job_id: plain.id, reuse: 'all' } })
    expect(JSON.parse(await (await manifestOf(all.id)).text())).toEqual({
      name: 'a.bin',
      url,
      final_url: null,
      fetched_at: null,
      status: null,
      content_type: null,
      etag: null,
      last_modified: null,
      size: 5000,
      sha256: expectedSha256(5000),
    })
  })

  test('credentials and signatures never stand in it', async () => {
    const secret = 'm4rker'
    const target = `/bytes/60/b.bin?X-Amz-Signature=${secret}2&response-content-type=x`
    const urls = [
      origin.url(`/bytes/50/a.bin?sig=${secret}1`).replace('://', `://user:${secret}0@`),
      origin.url(`/set-cookies?to=${encodeURIComponent(target)}&cookie=session=${secret}3`),
      origin.url(`/bytes/70/c.bin#access_token=${secret}4`),
    ]
    const headers = [{ origin: origin.url(''), headers: [{ name: 'X-Api-Key', value: `${secret}5` }] }]
    const job = await completed({ urls, headers, manifest: true })
    expect(job.status).toBe('completed')
    const files = await filesOf(job)
    const served = await (await manifestOf(job.id)).text()
    expect(served.split('\n')).toHaveLength(4)
    for (const text of [files['sources.jsonl'], files.SHA256SUMS, served]) expect(text).not.toContain(secret)
    expect(origin.requests(target).at(-1)?.headers.get('cookie')).toBe(`session=${secret}3`)
  })
})

describe('files[].sha256', () => {
  test('is given back, in lower case, and another file fails as Checksum mismatch', async () => {
    const url = origin.url('/bytes/300/a.bin')
    const right = { url, sha256: expectedSha256(300).toUpperCase() }
    const wrong = { url, filename: 'b.bin', sha256: 'f'.repeat(64) }
    const job = await completed({ files: [right, wrong, { url }], fail_on_url_error: false })
    expect(job).toMatchObject({
      status: 'completed',
      manifest: false,
      file_count: 2,
      files: [{ url, sha256: expectedSha256(300) }, wrong, { url }],
      errors: [{ url, error: 'Checksum mismatch' }],
    })
    expect((await entriesOf(job.id)).map(({ sha256 }: ReplyBody) => sha256)).toEqual([
      expectedSha256(300),
      null,
      null,
    ])
  })

  test('survives a restart of the service, and a retry', async () => {
    const url = origin.url('/bytes/300/a.bin?changes_at=3')
    const failed = await completed({ files: [{ url, sha256: expectedSha256(300, 2) }] })
    expect(failed.errors).toEqual([{ url, error: 'Checksum mismatch' }])
    await service.restart()
    await service.request('POST', `/jobs/${failed.id}/retry`)
    const job = await service.jobIn(failed.id, ['completed', 'failed'])
    expect(job.status).toBe('completed')
    expect((await entriesOf(job.id))[0].sha256).toBe(expectedSha256(300, 2))
  })

  test.each(['', 'abc', 'g'.repeat(64), 'a'.repeat(65), 5, true])('can not be %p', async (sha256) => {
    const { status, body } = await service.request('POST', '/jobs', {
      body: { files: [{ url: origin.url('/ok'), sha256 }] },
    })
    expect([status, body.error.code, body.error.issues[0].path]).toEqual([
      400,
      'INVALID_REQUEST',
      'files.0.sha256',
    ])
  })
})
