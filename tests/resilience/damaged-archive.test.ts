import { expect, test } from 'bun:test'
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { forFile } from '../support/for-file.ts'
import { startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'

const sources = forFile(startSources())
const service = forFile(await startService())

async function archived() {
  const job = await service.finishedJob([sources.url('/ok/a')])
  return { job, path: join(service.dataDir, 'archives', `${job.id}.zip`) }
}

test.each([
  ['was truncated', (path: string) => truncateSync(path, 40)],
  ['was truncated to nothing', (path: string) => truncateSync(path, 0)],
  ['has grown', (path: string) => appendFileSync(path, 'more')],
  ['is missing', (path: string) => rmSync(path)],
  [
    'is a directory',
    (path: string) => {
      rmSync(path)
      mkdirSync(path)
    },
  ],
])(
  'an archive whose file %s is UNAVAILABLE, which is logged once, without the token or a path',
  async (_how, damage) => {
    const { job, path } = await archived()
    const before = readFileSync(path)
    damage(path)
    for (const range of [{}, { range: 'bytes=0-9' }, { 'if-range': `"${job.id}"`, range: 'bytes=0-9' }]) {
      const response = await fetch(job.download_url, { headers: range })
      const text = await response.text()
      expect([response.status, JSON.parse(text).error.code]).toEqual([503, 'UNAVAILABLE'])
      expect(text).not.toContain(dirname(service.dataDir))
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
    const lines = service.logged.filter((line) => line.includes('damaged') && line.includes(job.id))
    expect(lines).toHaveLength(1)
    expect(lines.join()).not.toContain(new URL(job.download_url).pathname.split('/').at(-1) ?? '')
    const counted = (await service.request('GET', '/health', { key: null })).body.damaged_archives
    expect(counted).toBeGreaterThan(0)

    rmSync(path, { recursive: true, force: true })
    writeFileSync(path, before)
    expect((await fetch(job.download_url)).status).toBe(200)
    const after = (await service.request('GET', '/health', { key: null })).body.damaged_archives
    expect(after ?? 0).toBe(counted - 1)
  },
)

test('/health no longer counts a damaged archive after it was deleted', async () => {
  const { job, path } = await archived()
  truncateSync(path, 1)
  expect((await fetch(job.download_url)).status).toBe(503)
  const damaged = async () =>
    (await service.request('GET', '/health', { key: null })).body.damaged_archives ?? 0
  const counted = await damaged()
  await service.request('DELETE', `/jobs/${job.id}`)
  expect(await damaged()).toBe(counted - 1)
})

test('a file that is replaced by one of the same size has a new ETag, so that no download mixes the two', async () => {
  const { job, path } = await archived()
  const first = await fetch(job.download_url)
  const etag = first.headers.get('etag') ?? ''
  const bytes = await first.bytes()
  const changed = bytes.map((byte) => byte ^ 1)
  writeFileSync(path, changed)
  const later = new Date(Date.parse(job.completed_at) + 5_000)
  utimesSync(path, later, later)
  const resumed = await fetch(job.download_url, { headers: { range: 'bytes=10-', 'if-range': etag } })
  expect([resumed.status, resumed.headers.get('etag') === etag]).toEqual([200, false])
  expect(await resumed.bytes()).toEqual(changed)
  expect(resumed.headers.get('last-modified')).toBe(later.toUTCString())

  const fresh = resumed.headers.get('etag') ?? ''
  const part = await fetch(job.download_url, { headers: { range: 'bytes=10-', 'if-range': fresh } })
  expect([part.status, part.headers.get('etag')]).toEqual([206, fresh])
})
