import { describe, expect, test } from 'bun:test'
import JSZip from 'jszip'
import { downloadArchive } from '../support/archive.ts'
import { forFile } from '../support/for-file.ts'
import { startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'

const sources = forFile(startSources())
const service = forFile(await startService())
const job = await service.finishedJob([sources.url('/ok/a'), sources.url('/ok/b')], {
  zip_filename: 'Köln "5%"',
})
const { bytes: whole, etag, lastModified } = await downloadArchive(job.download_url)

const download = (headers: Record<string, string> = {}, method = 'GET') =>
  fetch(job.download_url, { method, headers })

async function errorOf(response: Response) {
  return [response.status, JSON.parse(await response.text()).error.code]
}

describe('4.8 GET /download/:token: download the ZIP', () => {
  test('sends the ZIP without an API key, with headers for caches', async () => {
    const response = await download()
    expect(response.status).toBe(200)
    const { headers } = response
    expect(headers.get('content-type')).toBe('application/zip')
    expect(headers.get('content-length')).toBe(String(job.zip_size))
    expect(headers.get('accept-ranges')).toBe('bytes')
    expect(headers.get('cache-control')).toBe('private')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(etag).toMatch(/^"[^"]+"$/)
    // In whole seconds, of the last change of the file, which is some time before the job is completed.
    const firstMs = Math.floor(Date.parse(job.created_at) / 1000) * 1000 - 1000
    expect(Date.parse(lastModified)).toBeWithin(firstMs, Date.parse(job.completed_at) + 1)
    const zip = await JSZip.loadAsync(await response.bytes())
    expect(zip.file(/./)).toHaveLength(2)
  })

  test('Content-Disposition contains zip_filename in ASCII and in the form of RFC 8187', async () => {
    expect((await download()).headers.get('content-disposition')).toBe(
      `attachment; filename="K_ln _5__.zip"; filename*=UTF-8''K%C3%B6ln%20%225%25%22.zip`,
    )
  })

  test('HEAD returns the same headers and no body', async () => {
    const response = await download({ range: 'bytes=0-9' }, 'HEAD')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe(String(whole.length))
    expect(response.headers.get('etag')).toBe(etag)
    expect(response.headers.get('content-range')).toBeNull()
    expect(await response.text()).toBe('')
  })

  test('Range applies only if If-Range has the ETag or date of the archive', async () => {
    const statusFor = async (validator: string, range = 'bytes=0-9') =>
      (await download({ range, 'if-range': validator })).status
    expect(await statusFor(etag)).toBe(206)
    expect(await statusFor(lastModified)).toBe(206)
    expect(await statusFor('"another"')).toBe(200)
    expect(await statusFor(`W/${etag}`)).toBe(200)
    expect(await statusFor('Thu, 01 Jan 2026 00:00:00 GMT')).toBe(200)
    expect(await statusFor('"another"', 'bytes=99999999-')).toBe(200)
  })

  test.each([
    ['If-None-Match with its ETag', () => ({ 'if-none-match': etag }), 304],
    [
      'If-None-Match with a list that contains its ETag as a weak one',
      () => ({ 'if-none-match': `"x", W/${etag}` }),
      304,
    ],
    ['If-None-Match: *', () => ({ 'if-none-match': '*' }), 304],
    ['If-None-Match with another ETag', () => ({ 'if-none-match': '"x"' }), 200],
    ['If-Modified-Since with its date', () => ({ 'if-modified-since': lastModified }), 304],
    [
      'If-Modified-Since with an older date',
      () => ({ 'if-modified-since': 'Thu, 01 Jan 2015 00:00:00 GMT' }),
      200,
    ],
    [
      'If-None-Match with another ETag, and If-Modified-Since with its date',
      () => ({ 'if-none-match': '"x"', 'if-modified-since': lastModified }),
      200,
    ],
    ['If-Match with its ETag', () => ({ 'if-match': etag }), 200],
    ['If-Match with its ETag as a weak one', () => ({ 'if-match': `W/${etag}` }), 412],
    ['If-Match with another ETag', () => ({ 'if-match': '"x"' }), 412],
    ['If-Unmodified-Since with its date', () => ({ 'if-unmodified-since': lastModified }), 200],
    [
      'If-Unmodified-Since with an older date',
      () => ({ 'if-unmodified-since': 'Thu, 01 Jan 2015 00:00:00 GMT' }),
      412,
    ],
  ])('%s', async (_what, headers, status) => {
    const response = await download(headers())
    expect(response.status).toBe(status)
    if (status === 412) expect(await errorOf(response)).toEqual([412, 'PRECONDITION_FAILED'])
    if (status === 304) expect(response.headers.get('etag')).toBe(etag)
  })

  test('a token is INVALID_TOKEN after a change of any character', async () => {
    const token = new URL(job.download_url).pathname.split('/')[2] ?? ''
    const changed = [...token].map((character, index) =>
      [...token].with(index, character === 'A' ? 'B' : 'A').join(''),
    )
    for (const wrong of [...changed, `${token}A`, `${token}=`, token.slice(0, -1), 'x', '%ff']) {
      const response = await fetch(`${service.origin}/download/${wrong}`)
      expect(await errorOf(response)).toEqual([403, 'INVALID_TOKEN'])
    }
  })

  test('each GET of a job returns a working URL, and older URLs keep working', async () => {
    const again = await service.request('GET', `/jobs/${job.id}`)
    for (const url of [job.download_url, again.body.job.download_url])
      expect((await fetch(url)).status).toBe(200)
  })

  test('the URL of a deleted archive is EXPIRED_TOKEN', async () => {
    const deleted = await service.finishedJob([sources.url('/ok/a')])
    await service.request('DELETE', `/jobs/${deleted.id}`)
    expect(await errorOf(await fetch(deleted.download_url))).toEqual([403, 'EXPIRED_TOKEN'])
  })
})
