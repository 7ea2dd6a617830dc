import { expect, test } from 'bun:test'
import { type Connection, connectTo } from '../support/connection.ts'
import { refusedUrl } from '../support/origin.ts'
import { startService } from '../support/service.ts'

const REQUESTS = 30

test('/health responds before half of thirty jobs of 5,000 URLs that arrive at the same time are created', async () => {
  await using service = await startService()
  const urls = Array.from({ length: 5_000 }, (_, n) => refusedUrl(`/${n}`))
  const body = JSON.stringify({ urls })
  const head = [
    'POST /jobs HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${service.key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ].join('\r\n')
  const responses = await responsesBeforeHealth(service.origin, `${head}\r\n\r\n${body}`, /^HTTP\/1.1 201/)
  expect(responses).toBeLessThan(REQUESTS / 2)
}, 180_000)

test('/health responds before half of thirty clients that request a job of 5,000 URLs at the same time have it', async () => {
  await using service = await startService()
  const urls = Array.from({ length: 5_000 }, (_, n) => refusedUrl(`/${n}`))
  const jobId = await service.createJob({ urls })
  const lines = [`GET /jobs/${jobId} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${service.key}`]
  const request = `${lines.join('\r\n')}\r\n\r\n`
  expect(await responsesBeforeHealth(service.origin, request, /^HTTP\/1.1 200/)).toBeLessThan(REQUESTS / 2)
}, 180_000)

test('/health responds before half of thirty event streams of a job of 5,000 URLs have begun', async () => {
  await using service = await startService()
  const urls = Array.from({ length: 5_000 }, (_, n) => refusedUrl(`/${n}`))
  const jobId = await service.createJob({ urls })
  const path = `/jobs/${jobId}/events`
  const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n\r\n`
  expect(await responsesBeforeHealth(service.origin, request, /event: snapshot/)).toBeLessThan(REQUESTS / 2)
}, 180_000)

/**
 * Sends the same request on many connections. The last byte follows on all connections at the same time, so that the
 * requests arrive together. Requests `/health` after the first response.
 * @returns the number of responses before the one of `/health`
 */
async function responsesBeforeHealth(origin: string, request: string, response: RegExp): Promise<number> {
  // Probes the disks, so that the measured request need not: its time must depend on the turns alone.
  await (await fetch(`${origin}/health`)).text()
  using stack = new DisposableStack()
  const connections: Connection[] = []
  for (let count = 0; count < REQUESTS; count++) connections.push(stack.use(await connectTo(origin)))
  const health = stack.use(await connectTo(origin))
  await Promise.all(connections.map((connection) => connection.send(request.slice(0, -1))))
  await Promise.all(connections.map((connection) => connection.send(request.slice(-1))))
  await Promise.race(connections.map((connection) => connection.until(response)))
  await health.send('GET /health HTTP/1.1\r\nHost: x\r\n\r\n')
  await health.until(/"success":true/)
  const textOf = ({ arrivals }: Connection) => arrivals.map(({ text }) => text).join('')
  const responses = connections.filter((connection) => response.test(textOf(connection))).length
  await Promise.all(connections.map((connection) => connection.until(response)))
  return responses
}
