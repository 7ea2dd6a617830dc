import { describe, expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { idOf, startReceiver, verified } from '../support/receiver.ts'
import { startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { createWebhook, untilDelivered } from '../support/webhooks.ts'

const sources = forFile(startSources())
const service = forFile(await startService())
/** A key of a new user, since most tests count webhooks. */
const newKey = () => service.addUser()

describe('A message', () => {
  test('tells that a job was completed, and its link downloads the archive', async () => {
    await using receiver = startReceiver()
    const key = await newKey()
    const { id, secret } = await createWebhook(service, receiver.url('/hook?x=1'), key)
    const urls = [sources.url('/ok/a'), sources.url('/404'), sources.url('/ok/b')]
    const metadata = { customer: 'Zoë' }
    const job = await service.finishedJob(urls, { fail_on_url_error: false, metadata }, key)
    const [message] = await receiver.untilReceived(1)
    expect(message).toMatchObject({
      method: 'POST',
      path: '/hook?x=1',
      headers: { 'content-type': 'application/json', 'user-agent': expect.stringMatching(/^Holdall\//) },
    })
    const { data, ...rest } = verified(message, secret)
    expect(rest).toEqual({ type: 'job.completed', timestamp: job.completed_at })
    expect(data).toEqual({
      job_id: job.id,
      status: 'completed',
      url_count: 3,
      file_count: 2,
      zip_size: job.zip_size,
      warning_count: 0,
      error_count: 1,
      errors: [{ url: urls[1], error: 'HTTP 404' }],
      failure: null,
      download_url: job.download_url,
      expires_at: job.expires_at,
      metadata,
    })
    expect((await (await fetch(data.download_url)).arrayBuffer()).byteLength).toBe(job.zip_size)
    const [delivery] = await untilDelivered(service, id, key)
    expect(delivery).toEqual({
      id: idOf(message),
      type: 'job.completed',
      job_id: job.id,
      status: 'delivered',
      attempts: 1,
      response_status: 204,
      error: null,
      created_at: job.completed_at,
      last_attempt_at: expect.any(String),
      next_attempt_at: null,
    })
    expect(Number(message?.headers['webhook-timestamp']) * 1000).toBeWithin(
      Date.now() - 60_000,
      Date.now() + 1,
    )
  })

  test('tells that a job has failed, with the first 100 errors', async () => {
    await using receiver = startReceiver()
    const key = await newKey()
    const { secret } = await createWebhook(service, receiver.url(), key)
    const urls = Array.from({ length: 101 }, (_, index) => sources.url(`/missing/${index}`))
    const job = await service.finishedJob(urls, {}, key)
    const [message] = await receiver.untilReceived(1)
    const { type, data } = verified(message, secret)
    expect(type).toBe('job.failed')
    expect(data).toMatchObject({
      status: 'failed',
      error_count: 101,
      download_url: null,
      failure: job.failure,
    })
    expect(data.errors).toEqual(urls.slice(0, 100).map((url) => ({ url, error: 'HTTP 404' })))
  })

  test('tells that a pending or a running job was cancelled', async () => {
    await using receiver = startReceiver()
    await using slow = startSources()
    const key = await newKey()
    const { secret } = await createWebhook(service, receiver.url(), key)
    const create = async () => {
      return await service.createJob({ urls: [slow.url('/slow')] }, key)
    }
    const running = await create()
    await service.jobIn(running, ['processing'], key)
    await service.request('POST', `/jobs/${running}/cancel`, { key })
    await receiver.untilReceived(1)
    const pending = await create()
    await service.request('POST', `/jobs/${pending}/cancel`, { key })
    const messages = await receiver.untilReceived(2)
    for (const [index, jobId] of [running, pending].entries()) {
      const { type, data } = verified(messages[index], secret)
      expect([type, data.job_id, data.failure.code]).toEqual(['job.failed', jobId, 'CANCELLED'])
    }
  })

  test('is sent only to webhooks of the owner that are notified of the event', async () => {
    await using receiver = startReceiver()
    const key = await newKey()
    const other = await newKey()
    await createWebhook(service, receiver.url('/completed'), key, ['job.completed'])
    await createWebhook(service, receiver.url('/failed'), key, ['job.failed'])
    await createWebhook(service, receiver.url('/foreign'), other)
    await service.finishedJob([sources.url('/ok/a')], {}, key)
    await receiver.untilReceived(1)
    await service.finishedJob([sources.url('/404')], {}, key)
    const messages = await receiver.untilReceived(2)
    expect(messages.map(({ path }) => path)).toEqual(['/completed', '/failed'])
  })

  test('carries the user information of the URL as Basic authentication', async () => {
    await using receiver = startReceiver()
    const key = await newKey()
    const url = receiver.url().replace('//', '//ann:p%40ss@')
    const { id } = await createWebhook(service, url, key)
    await service.request('POST', `/webhooks/${id}/test`, { key })
    const [message] = await receiver.untilReceived(1)
    expect(message?.headers.authorization).toBe(`Basic ${btoa('ann:p@ss')}`)
  })
})
