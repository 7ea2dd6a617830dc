import { describe, expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { startOrigin } from '../support/origin.ts'
import { startService } from '../support/service.ts'

const origin = forFile(await startOrigin())
const service = forFile(await startService())
const otherUsersKey = await service.addUser('other-user')

const create = (body: object, key = service.key) => service.request('POST', '/jobs', { body, key })

describe('POST /jobs with a base that cannot be used', () => {
  const urls = [origin.url('/bytes/10/x.bin')]
  const refusal = async (jobId: string, key?: string) => {
    const { status, body } = await create({ urls, base: { job_id: jobId, reuse: 'all' } }, key)
    return [status, body.error?.code]
  }

  test.each([
    ['no job_id', { reuse: 'all' }, 'base.job_id'],
    ['a job_id that is not a UUID', { job_id: 'x', reuse: 'all' }, 'base.job_id'],
    ['no reuse', { job_id: crypto.randomUUID() }, 'base.reuse'],
    ['an unknown reuse', { job_id: crypto.randomUUID(), reuse: 'some' }, 'base.reuse'],
    ['text in place of the object', 'all', 'base'],
  ])('%s is INVALID_REQUEST', async (_what, base, path) => {
    const { status, body } = await create({ urls, base })
    expect([status, body.error.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(body.error.issues.map((issue: { path: string }) => issue.path)).toContain(path)
  })

  test('null counts as absent', async () => {
    const job = await service.finishedJob(urls, { base: null })
    expect([job.status, job.base, job.reused_count]).toEqual(['completed', undefined, undefined])
  })

  test('an unknown job, a job of another user, a failed and an unfinished job are NOT_FOUND', async () => {
    expect(await refusal(crypto.randomUUID())).toEqual([404, 'NOT_FOUND'])
    const own = await service.finishedJob(urls)
    expect(await refusal(own.id, otherUsersKey)).toEqual([404, 'NOT_FOUND'])
    const failed = await service.finishedJob([origin.url('/status/404')])
    expect(await refusal(failed.id)).toEqual([404, 'NOT_FOUND'])
    const { body } = await create({ urls: [origin.url('/silent')] })
    expect(await refusal(body.job_id)).toEqual([404, 'NOT_FOUND'])
    await service.request('DELETE', `/jobs/${body.job_id}`)
  })

  test('one that was deleted or has expired is INVALID_REQUEST', async () => {
    const deleted = await service.finishedJob(urls)
    await service.request('DELETE', `/jobs/${deleted.id}`)
    expect(await refusal(deleted.id)).toEqual([400, 'INVALID_REQUEST'])
    expect(await refusal(deleted.id, otherUsersKey)).toEqual([404, 'NOT_FOUND'])
    const expiring = await service.finishedJob(urls, { expires_in: 300 })
    service.advance(300_000)
    expect(await refusal(expiring.id)).toEqual([400, 'INVALID_REQUEST'])
  })
})
