import { expect, test } from 'bun:test'
import { signInOwner } from '../support/client.ts'
import { startHoldall } from '../support/executable.ts'
import { startOrigin } from '../support/origin.ts'
import { parseMetrics } from '../support/parse-metrics.ts'

test('Without a terminal, the log has one JSON object per line, with the id of each request', async () => {
  await using origin = await startOrigin()
  await using holdall = await startHoldall({ args: ['--log-level', 'debug'] })
  const client = await signInOwner(holdall)
  const jobId = await client.createJob({ urls: [origin.url('/status/404?secret=1')] })
  expect((await client.untilEnded(jobId)).status).toBe('failed')
  const metrics = await fetch(`${holdall.address}/metrics`)
  expect(parseMetrics(await metrics.text()).length).toBeGreaterThan(20)
  const scrapeId = metrics.headers.get('x-request-id') ?? ''
  expect(await holdall.stop()).toBe(0)
  const lines = holdall
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  const logged = lines.map((line) => JSON.parse(line))
  expect(logged.filter(({ job }) => job === jobId).map(({ message }) => message)).toEqual([
    'job started',
    'job failed',
  ])
  const scrape = logged.find(({ request }) => request === scrapeId)
  expect(scrape).toMatchObject({ level: 'debug', method: 'GET', route: '/metrics', status: 200 })
  expect(holdall.output()).not.toContain('secret')
})

test('--log-format text writes lines of text, and --log-level omits less urgent lines', async () => {
  await using holdall = await startHoldall({ args: ['--log-format', 'text', '--log-level', 'error'] })
  const client = await signInOwner(holdall)
  await client.request('GET', '/me')
  await holdall.stop()
  expect(holdall.output()).not.toMatch(/^\{| info | debug /m)
})
