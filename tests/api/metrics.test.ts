import { describe, expect, test } from 'bun:test'
import { Metrics } from '../../server/monitoring/metrics.ts'
import { forFile } from '../support/for-file.ts'
import { refusedUrl, startOrigin } from '../support/origin.ts'
import { parseMetrics } from '../support/parse-metrics.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { createWebhook, untilDelivered } from '../support/webhooks.ts'

const origin = forFile(await startOrigin())

async function scrape(service: TestService, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.origin}/metrics`, { headers })
  const samples = response.ok ? parseMetrics(await response.text()) : []
  const figure = (name: string, labels: Record<string, string> = {}) =>
    samples.find((sample) => sample.name === name && Bun.deepEquals(sample.labels, labels))?.value
  return { response, samples, figure }
}

describe('GET /metrics', () => {
  test('counts attempts of webhook deliveries by their result', async () => {
    await using service = await startService()
    const { id } = await createWebhook(service, refusedUrl())
    await service.request('POST', `/webhooks/${id}/test`)
    await untilDelivered(service, id, service.key, 'failed')
    const { figure } = await scrape(service)
    expect(figure('holdall_notifier_attempts_total', { status: 'failed' })).toBe(1)
  })

  test('counts runs of schedules, and how late they begin', async () => {
    await using service = await startService()
    const body = { name: 'a', every: 'day', time_zone: 'UTC' }
    for (const path of ['/bytes/1000/a.bin', '/status/404']) {
      const urls = [origin.url(path)]
      await service.request('POST', '/schedules', { body: { ...body, urls } })
    }
    // The clock counts on, so that each is due once on waking.
    service.advance(36 * 3_600_000)
    await service.app.scheduleTimer.runDue()
    const { figure, event } = await until('both runs have ended', async () => {
      const { figure } = await scrape(service)
      const event = (name: string) => figure('holdall_schedule_events_total', { event: name })
      return event('completed') === 1 && event('failed') === 1 && { figure, event }
    })
    expect(event('started')).toBe(2)
    expect(figure('holdall_schedule_run_late_seconds_count')).toBe(2)
    expect(figure('holdall_schedule_run_late_seconds_sum')).toBeWithin(23 * 3_600, 25 * 3_600)
  })

  test("counts jobs, bytes and requests, in Prometheus' text format", async () => {
    await using service = await startService()
    const job = await service.finishedJob([origin.url('/bytes/100000/a.bin')])
    await service.finishedJob([origin.url('/status/404')])
    const archive = await fetch(job.download_url, { headers: { range: 'bytes=0-99' } })
    await archive.bytes()
    await fetch(`${service.origin}/nothing/at/all`, { method: 'PATCH' })
    const { response, figure } = await scrape(service)
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(figure('holdall_jobs', { status: 'completed' })).toBe(1)
    expect(figure('holdall_jobs', { status: 'failed' })).toBe(1)
    expect(figure('holdall_jobs', { status: 'processing' })).toBe(0)
    expect(figure('holdall_job_wait_seconds_count')).toBe(2)
    expect(figure('holdall_fetched_bytes_total')).toBeWithin(100_000, 101_000)
    expect(figure('holdall_served_bytes_total')).toBe(100)
    expect(figure('holdall_source_connections')).toBe(0)
    const requests = (method: string, route: string, status: string) =>
      figure('holdall_http_requests_total', { method, route, status })
    expect(requests('POST', '/jobs', '201')).toBe(2)
    expect(requests('GET', '/download/:token', '206')).toBe(1)
    expect(requests('any', 'none', '404')).toBe(1)
    expect(figure('holdall_http_request_duration_seconds_count', { route: '/jobs' })).toBe(2)
    for (const name of [
      'holdall_archive_disk_free_bytes',
      'holdall_database_bytes',
      'process_resident_memory_bytes',
    ]) {
      expect(figure(name)).toBeGreaterThan(10_000)
    }
  })

  test('contains no job id, user, URL, key or token', async () => {
    await using service = await startService()
    const job = await service.finishedJob([origin.url('/bytes/1000/a.bin?secret=1')])
    await fetch(`${service.origin}/made-up-by-a-stranger`, { method: 'STRANGE' })
    const text = await (await fetch(`${service.origin}/metrics`)).text()
    for (const word of [job.id, 'owner', '127.0.0.1', 'secret', 'hold_', 'made-up', 'STRANGE']) {
      expect(text).not.toContain(word)
    }
  })

  test('is NOT_FOUND through a proxy, whether the proxy is trusted or not', async () => {
    await using service = await startService()
    expect((await scrape(service)).response.status).toBe(200)
    for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
      expect((await scrape(service, { [header]: '127.0.0.1' })).response.status).toBe(404)
    }
    await using behind = await startService({ 'trust-proxy': ['127.0.0.0/8'] })
    for (const clients of ['203.0.113.9', '127.0.0.1, 203.0.113.9', '203.0.113.9, 127.0.0.1', '127.0.0.1'])
      expect((await scrape(behind, { 'x-forwarded-for': clients })).response.status).toBe(404)
    expect((await scrape(behind)).response.status).toBe(200)
  })

  test('with a configured metrics token, requires it, also through a proxy', async () => {
    const token = 'a-token-of-some-length'
    await using service = await startService({ 'metrics-token': [token] })
    const far = { 'x-forwarded-for': '203.0.113.9' }
    expect((await scrape(service, { ...far, authorization: `Bearer ${token}` })).response.status).toBe(200)
    for (const authorization of ['', `Bearer ${token}x`, `Basic ${token}`, `Bearer ${service.key}`]) {
      const { response } = await scrape(service, { ...far, authorization })
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    }
  })
})

test('labels and help texts are escaped as the format requires', () => {
  const metrics = new Metrics()
  metrics.counter('odd_total', 'Two\nlines and a \\.', ['label'])(['"\\\n'], 2.5)
  metrics.histogram('odd_seconds', 'Odd.', [1, 2], ['label'])(1.5, ['}'])
  expect(parseMetrics(metrics.text())).toEqual([
    { name: 'odd_total', labels: { label: '"\\\n' }, value: 2.5 },
    { name: 'odd_seconds_bucket', labels: { label: '}', le: '1' }, value: 0 },
    { name: 'odd_seconds_bucket', labels: { label: '}', le: '2' }, value: 1 },
    { name: 'odd_seconds_bucket', labels: { label: '}', le: '+Inf' }, value: 1 },
    { name: 'odd_seconds_sum', labels: { label: '}' }, value: 1.5 },
    { name: 'odd_seconds_count', labels: { label: '}' }, value: 1 },
  ])
})
