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
    expect(Math.abs(Date.parse(lastModified) - Date.parse(job.completed_at))).toBeLessThan(1_000)
    const zip = await JSZip.loadAsync(await response.bytes())
    expect(zip.file(/./)).toHaveLength(2)
  })

  test('is saved under the name of the job, in ASCII and in RFC 8187 form', async () => {
    expect((await download()).headers.get('content-disposition')).toBe(
      `attachment; filename="K_ln _5__.zip"; filename*=UTF-8''K%C3%B6ln%20%225%25%22.zip`,
    )
  })

  test('HEAD gives the same headers and no body', async () => {
    const response = await download({ range: 'bytes=0-9' }, 'HEAD')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe(String(whole.length))
    expect(response.headers.get('etag')).toBe(etag)
    expect(response.headers.get('content-range')).toBeNull()
    expect(await response.text()).toBe('')
  })

  test.each([
    ['bytes=0-9', 0, 10],
    ['bytes=10-', 10, undefined],
    ['bytes=-7', -7, undefined],
    ['bytes=5-99999999', 5, undefined],
  ])('Range: %s gives 206 with that part', async (range, from, to) => {
    const response = await download({ range })
    const expected = whole.slice(from, to)
    const first = from < 0 ? whole.length + from : from
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe(
      `bytes ${first}-${first + expected.length - 1}/${whole.length}`,
    )
    expect(response.headers.get('etag')).toBe(etag)
    expect(await response.bytes()).toEqual(expected)
  })

  test.each(['bytes=99999999-', 'bytes=-0'])('Range: %s is RANGE_NOT_SATISFIABLE', async (range) => {
    const response = await download({ range })
    expect(response.headers.get('content-range')).toBe(`bytes */${whole.length}`)
    expect(await errorOf(response)).toEqual([416, 'RANGE_NOT_SATISFIABLE'])
  })

  test.each(['bytes=0-1,5-6', 'bytes=9-3', 'bytes=-', 'items=0-1', 'bytes=a-b'])(
    'Range: %s gets the whole archive',
    async (range) => {
      const response = await download({ range })
      expect([response.status, (await response.bytes()).length]).toEqual([200, whole.length])
    },
  )

  test('If-Range continues only the same archive', async () => {
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
    ['If-None-Match with its tag', () => ({ 'if-none-match': etag }), 304],
    ['If-None-Match with its tag, weak, in a list', () => ({ 'if-none-match': `"x", W/${etag}` }), 304],
    ['If-None-Match: *', () => ({ 'if-none-match': '*' }), 304],
    ['If-None-Match with another', () => ({ 'if-none-match': '"x"' }), 200],
    ['If-Modified-Since its date', () => ({ 'if-modified-since': lastModified }), 304],
    ['If-Modified-Since long ago', () => ({ 'if-modified-since': 'Thu, 01 Jan 2015 00:00:00 GMT' }), 200],
    [
      'If-None-Match before If-Modified-Since',
      () => ({ 'if-none-match': '"x"', 'if-modified-since': lastModified }),
      200,
    ],
    ['If-Match with its tag', () => ({ 'if-match': etag }), 200],
    ['If-Match with its tag, weak', () => ({ 'if-match': `W/${etag}` }), 412],
    ['If-Match with another', () => ({ 'if-match': '"x"' }), 412],
    ['If-Unmodified-Since its date', () => ({ 'if-unmodified-since': lastModified }), 200],
    ['If-Unmodified-Since long ago', () => ({ 'if-unmodified-since': 'Thu, 01 Jan 2015 00:00:00 GMT' }), 412],
  ])('%s', async (_what, headers, status) => {
    const response = await download(headers())
    expect(response.status).toBe(status)
    if (status === 412) expect(await errorOf(response)).toEqual([412, 'PRECONDITION_FAILED'])
    if (status === 304) expect(response.headers.get('etag')).toBe(etag)
  })

  test('a tampered token is INVALID_TOKEN, whichever character was changed', async () => {
    const token = new URL(job.download_url).pathname.split('/')[2] ?? ''
    const changed = [...token].map((character, index) =>
      [...token].with(index, character === 'A' ? 'B' : 'A').join(''),
    )
    for (const wrong of [...changed, `${token}A`, `${token}=`, token.slice(0, -1), 'x', '%ff']) {
      const response = await fetch(`${service.origin}/download/${wrong}`)
      expect(await errorOf(response)).toEqual([403, 'INVALID_TOKEN'])
    }
  })

  test('each GET of a job returns a URL that works, and older URLs keep working', async () => {
    const again = await service.request('GET', `/jobs/${job.id}`)
    for (const url of [job.download_url, again.body.job.download_url])
      expect((await fetch(url)).status).toBe(200)
  })

  test('a deleted archive is EXPIRED_TOKEN', async () => {
    const deleted = await service.finishedJob([sources.url('/ok/a')])
    await service.request('DELETE', `/jobs/${deleted.id}`)
    expect(await errorOf(await fetch(deleted.download_url))).toEqual([403, 'EXPIRED_TOKEN'])
  })
})
