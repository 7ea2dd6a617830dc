import { expect, test } from 'bun:test'
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { PROGRAM_FILES, startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { until } from '../support/until.ts'

test('An archive that cannot be read before its upload is a fault of the disk: no response blames the archive store or shows a path', async () => {
  await using sources = startSources()
  const lookedFor = Promise.withResolvers<void>()
  const unreadable = Promise.withResolvers<void>()
  let isUnreadable = false
  await using store = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      if (request.method === 'HEAD') {
        lookedFor.resolve()
        await unreadable.promise
        return new Response(null, { status: 404 })
      }
      // A check of the store would end a wrong report: it gets no response.
      const isCheck = new URL(request.url).searchParams.get('prefix')?.endsWith('/holdall-check')
      if (isCheck && isUnreadable) return await new Promise<never>(() => {})
      return new Response('<ListMultipartUploadsResult></ListMultipartUploadsResult>')
    },
  })
  await using service = await startService({ 'archive-store': ['s3://zips/a'] }, PROGRAM_FILES, {
    AWS_ENDPOINT_URL: store.url.origin,
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
  })
  const jobId = await service.createJob({ urls: [sources.url('/ok/a')] })
  await lookedFor.promise
  const path = join(service.dataDir, 'archives', `${jobId}.zip`)
  rmSync(path)
  symlinkSync(path, path)
  isUnreadable = true
  unreadable.resolve()
  await until('an archive could not be uploaded', () =>
    service.logged.some((line) => line.includes('an archive could not be uploaded')),
  )
  const health = await service.request('GET', '/health', { key: null })
  expect(health.body).toEqual({ success: true, version: expect.any(String) })
  const status = (await service.request('GET', '/service')).body.service
  expect(status.archive_store).toEqual({ waiting_uploads: 1, trouble: null })
})
