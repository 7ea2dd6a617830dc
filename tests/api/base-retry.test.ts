import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { forFile } from '../support/for-file.ts'
import { startOrigin } from '../support/origin.ts'
import { type ReplyBody, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const origin = forFile(await startOrigin())
const service = forFile(await startService())

describe('POST /jobs/:id/retry of a job with a base', () => {
  async function failedJob(run: string) {
    const [copied, late] = [
      `/bytes/700/c.bin?run=${run}`,
      `/bytes/100/late.bin?fail=1&fail_status=404&run=${run}`,
    ]
    const first = await service.finishedJob([origin.url(copied)])
    const urls = [origin.url(copied), origin.url(late)]
    const failed = await service.finishedJob(urls, { base: { job_id: first.id, reuse: 'all' } })
    expect(failed).toMatchObject({ status: 'failed', file_count: 1, reused_count: 1 })
    return { copied, first, failed }
  }
  async function retried(id: string, body: object): Promise<ReplyBody> {
    expect((await service.request('POST', `/jobs/${id}/retry`, { body })).status).toBe(200)
    return await service.jobIn(id, ['completed', 'failed'])
  }

  test('keeps what was copied, also when the base is deleted', async () => {
    const { copied, first, failed } = await failedJob('kept')
    await service.request('DELETE', `/jobs/${first.id}`)
    expect(await retried(failed.id, {})).toMatchObject({
      status: 'completed',
      file_count: 2,
      reused_count: 1,
      base: { job_id: first.id, reuse: 'all' },
    })
    expect(origin.requests(copied)).toHaveLength(1)
  })

  test('copies again when it starts from scratch', async () => {
    const { copied, failed } = await failedJob('scratch')
    expect(await retried(failed.id, { from_checkpoint: false })).toMatchObject({
      reused_count: 1,
      file_count: 2,
    })
    expect(origin.requests(copied)).toHaveLength(1)
  })

  test('fetches when it starts from scratch and the base was deleted', async () => {
    const { copied, first, failed } = await failedJob('deleted')
    await service.request('DELETE', `/jobs/${first.id}`)
    expect(await retried(failed.id, { from_checkpoint: false })).toMatchObject({
      reused_count: 0,
      file_count: 2,
    })
    expect(origin.requests(copied)).toHaveLength(2)
  })

  test('fetches a URL that replaces a failed one', async () => {
    const { failed } = await failedJob('replaced')
    const url = origin.url('/bytes/800/replacement.bin')
    expect(await retried(failed.id, { replace: [{ position: 1, url }] })).toMatchObject({
      status: 'completed',
      reused_count: 1,
    })
  })
})

describe('A base that expires', () => {
  test('while a job copies from it is copied to the end', async () => {
    let gate = Promise.resolve()
    await using source = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      async fetch(request) {
        if (new URL(request.url).pathname === '/slow.bin') await gate
        const isKnown = request.headers.get('if-none-match') === '"1"'
        return new Response(isKnown ? null : 'body', {
          status: isKnown ? 304 : 200,
          headers: { etag: '"1"' },
        })
      },
    })
    const urls = ['a.bin', 'slow.bin'].map((name) => `${source.url}${name}`)
    const base = await service.finishedJob(urls, { expires_in: 300 })
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = promise
    const jobId = await service.createJob({ urls, base: { job_id: base.id, reuse: 'unchanged' } })
    await untilReused(jobId, 1)
    service.advance(300_000)
    await service.app.sweeper.sweepNow()
    expect(existsSync(join(service.dataDir, 'archives', `${base.id}.zip`))).toBe(false)
    resolve()
    const job = await service.jobIn(jobId, ['completed', 'failed'])
    expect(job).toMatchObject({ status: 'completed', reused_count: 2, base: { job_id: base.id } })
  })

  async function untilReused(jobId: string, count: number): Promise<void> {
    await until(`${count} files are reused`, async () => {
      const { body } = await service.request('GET', `/jobs/${jobId}`)
      return body.job.reused_count >= count
    })
  }
})
