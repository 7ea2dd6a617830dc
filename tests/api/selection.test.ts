import { describe, expect, test } from 'bun:test'
import { startFileSource } from '../support/file-source.ts'
import { forFile } from '../support/for-file.ts'
import { expectReadable } from '../support/readers.ts'
import { startService } from '../support/service.ts'
import { sha256 } from '../support/sha256.ts'
import { startSources } from '../support/sources.ts'
import { tempDir } from '../support/temp-dir.ts'

const FILES = {
  'a.txt': { type: 'text/plain', body: 'the first file, '.repeat(100) },
  'b.bin': { type: 'application/octet-stream', body: new Uint8Array(2_000_000).fill(7) },
  'c.html': { type: 'text/html', body: '<p>the third' },
  'd.txt': { type: 'text/plain', body: 'ü' },
}
const NAMES = ['letters/a.txt', 'b.bin', 'letters/ünïcode.html', 'd.txt']
const source = forFile(startFileSource(FILES))
const sources = forFile(startSources())
const service = forFile(await startService())
// The third link fails, so positions have a gap.
const urls = [source.urls[0], source.urls[1], sources.url('/404'), source.urls[2], source.urls[3]]
const names = ['letters/a.txt', 'b.bin', 'gone', 'letters/ünïcode.html', 'd.txt']
const created = await service.request('POST', '/jobs', {
  body: {
    files: urls.map((url, index) => ({ url, filename: names[index] })),
    zip_filename: 'shared',
    fail_on_url_error: false,
  },
})
const job = await service.jobIn(created.body.job_id, ['completed'])
const path = new URL(job.share_url).pathname.replace('/share/', '/download/')

const selection = (positions: string, init: RequestInit = {}) =>
  fetch(`${service.origin}${path}/selection?positions=${positions}`, init)

const expected = (...indexes: readonly number[]) =>
  indexes.map((index) => {
    const body = Buffer.from(Object.values(FILES)[index]?.body ?? '')
    return { name: NAMES[index] ?? '', sha256: sha256(body), sizeBytes: body.length }
  })

describe('GET /download/:token/selection', () => {
  test.each([
    ['0-4', [0, 1, 2, 3]],
    ['0', [0]],
    ['1-3', [1, 2]],
    ['0,3-9', [0, 2, 3]],
  ] as const)('is a whole ZIP of the files at positions %s, with their names', async (positions, indexes) => {
    const response = await selection(positions)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/zip')
    const count = indexes.length === 1 ? '1 file' : `${indexes.length} files`
    expect(response.headers.get('content-disposition')).toContain(`filename="shared (${count}).zip"`)
    const bytes = await response.bytes()
    const head = await selection(positions, { method: 'HEAD' })
    expect(head.headers.get('content-length')).toBe(`${bytes.length}`)
    using dir = tempDir()
    await Bun.write(dir.file('part.zip'), bytes)
    await expectReadable(dir.file('part.zip'), expected(...indexes))
  })

  test('is continued by Range and If-Range: parts that meet anywhere are the whole', async () => {
    const whole = await selection('0-4')
    const bytes = await whole.bytes()
    const etag = whole.headers.get('etag') ?? ''
    for (const cut of [1, 30, 60, 100, 5_000, 1_999_000, bytes.length - 100, bytes.length - 1]) {
      const [first, second] = await Promise.all(
        [`bytes=0-${cut - 1}`, `bytes=${cut}-`].map(async (range) => {
          const part = await selection('0-4', { headers: { range, 'if-range': etag } })
          expect(part.status).toBe(206)
          return part.bytes()
        }),
      )
      expect(Buffer.concat([first ?? [], second ?? []].map((part) => Buffer.from(part))).equals(bytes)).toBe(
        true,
      )
    }
  })

  test('has another ETag for other files, so that parts of two selections are never joined', async () => {
    const tags = await Promise.all(
      ['0', '0-1', '0-4', '1'].map(async (positions) => (await selection(positions)).headers.get('etag')),
    )
    expect(new Set(tags).size).toBe(4)
    expect((await fetch(service.origin + path, { method: 'HEAD' })).headers.get('etag')).not.toBe(tags[2])
  })

  test.each(['', 'x', '1-', '-1', '3-1', '1,1', '0-2,2', '2,1', '1,'.repeat(3_001).slice(0, -1)])(
    'refuses positions=%s with INVALID_REQUEST',
    async (positions) => {
      const reply = await service.request('GET', `${path}/selection?positions=${positions}`, { key: null })
      expect([reply.status, reply.body.error.code]).toEqual([400, 'INVALID_REQUEST'])
    },
  )

  test('is NOT_FOUND when the archive has none of the files, and needs a token', async () => {
    const codeAt = async (where: string) => {
      const reply = await service.request('GET', where, { key: null })
      return [reply.status, reply.body.error.code]
    }
    expect(await codeAt(`${path}/selection?positions=2`)).toEqual([404, 'NOT_FOUND'])
    expect(await codeAt(`${path}/selection?positions=5-999999999`)).toEqual([404, 'NOT_FOUND'])
    expect(await codeAt(`/download/${'x'.repeat(80)}/selection?positions=0`)).toEqual([403, 'INVALID_TOKEN'])
  })
})
