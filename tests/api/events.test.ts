import { describe, expect, test } from 'bun:test'
import { type Connection, connectTo } from '../support/connection.ts'
import { type EventStream, openEventStream } from '../support/event-stream.ts'
import { forFile } from '../support/for-file.ts'
import { runCommand } from '../support/holdall-command.ts'
import { startOrigin } from '../support/origin.ts'
import { startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'
import { until } from '../support/until.ts'

const sources = forFile(startSources())
const service = forFile(await startService())

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
const watchJob = (id: string, key = service.key) =>
  openEventStream(`${service.origin}/jobs/${id}/events`, key)
const watchAll = (key = service.key) => openEventStream(`${service.origin}/events`, key)
const getJob = async (id: string) => (await service.request('GET', `/jobs/${id}`)).body.job

describe('GET /jobs/:id/events', () => {
  test('sends a snapshot, then progress and entries, and finally the end', async () => {
    await using own = startSources()
    const id = await service.createJob({ urls: [own.url('/ok/a'), own.url('/slow')] })
    await service.jobIn(id, ['processing'])
    await using stream = await watchJob(id)
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(stream.response.headers.get('cache-control')).toBe('no-store')
    const snapshot = await stream.next()
    expect(snapshot).toMatchObject({
      name: 'snapshot',
      data: { id, urls: [own.url('/ok/a'), own.url('/slow')] },
    })
    own.release()
    const events = await stream.rest()
    expect(events.at(-1)).toMatchObject({ name: 'end', data: await getJob(id) })
    expect(new Set(events.slice(0, -1).map(({ name }) => name))).toEqual(new Set(['progress', 'entry']))
    for (const { data } of events.filter(({ name }) => name === 'progress')) {
      expect(data).toEqual({
        bytes: expect.any(Number),
        entries: expect.any(Number),
        warnings: 0,
        ...('progress' in data && { progress: expect.any(Number) }),
        speed: expect.any(Number),
      })
    }
    const last = events.findLast(({ name, data }) => name === 'entry' && data.position === 1)
    expect(last?.data).toMatchObject({ url: own.url('/slow'), status: 'stored', error: null })
  })

  test('sends only a snapshot and the end for a job that has ended', async () => {
    const job = await service.finishedJob([sources.url('/ok/a')])
    const events = await (await watchJob(job.id)).rest()
    expect(events.map(({ name }) => name)).toEqual(['snapshot', 'end'])
    for (const { data } of events) expect(data).toEqual(job)
  })

  test('sends the end when the job is cancelled, but not when it is deleted', async () => {
    const id = await service.createJob({ urls: [sources.url('/slow')] })
    await using cancelled = await watchJob(id)
    await service.request('POST', `/jobs/${id}/cancel`)
    expect((await cancelled.until('end')).data.failure.code).toBe('CANCELLED')
    const deletedId = await service.createJob({ urls: [sources.url('/slow')] })
    await using deleted = await watchJob(deletedId)
    await deleted.until('snapshot')
    await service.request('DELETE', `/jobs/${deletedId}`)
    expect((await deleted.rest()).map(({ name }) => name)).not.toContain('end')
  })

  test("is NOT_FOUND for unknown jobs and other users' jobs", async () => {
    const job = await service.finishedJob([sources.url('/ok/a')])
    const otherUsersKey = await service.addUser('other-user')
    for (const [id, key] of [
      [UNKNOWN_ID, service.key],
      [job.id, otherUsersKey],
    ]) {
      const reply = await service.request('GET', `/jobs/${id}/events`, { key })
      expect([reply.status, reply.body.error.code]).toEqual([404, 'NOT_FOUND'])
    }
  })

  test('HEAD opens no stream', async () => {
    const job = await service.finishedJob([sources.url('/ok/a')])
    const reply = await service.request('HEAD', `/jobs/${job.id}/events`)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ])
    expect((await service.request('HEAD', '/events')).status).toBe(200)
  })

  test('sends progress and the final state of entries to three hundred clients at the same time', async () => {
    await using origin = await startOrigin()
    await using own = startSources()
    using clients = new DisposableStack()
    const urls = Array.from({ length: 400 }, (_, n) => origin.url(`/bytes/10/${n}.bin?delay_ms=${n % 100}`))
    const id = await service.createJob({ urls: [...urls, own.url('/slow')] })
    const path = `/jobs/${id}/events`
    const connections = await Promise.all(Array.from({ length: 300 }, () => connectToStream(path)))
    for (const connection of connections) clients.use(connection)
    await Promise.all(connections.map((connection) => connection.until(/event: snapshot/)))
    await service.jobIn(id, ['processing'])
    await until(
      'every file but the last is packed',
      async () => (await getJob(id)).file_count >= urls.length,
      { everyMs: 50 },
    )
    own.release()
    const responses = await Promise.all(connections.map((connection) => connection.until(LAST_CHUNK)))
    for (const response of responses) {
      const text = contentOf(response)
      expect(text).toContain('event: progress')
      expect(text).toMatch(/"position":400,[^\n]*"status":"stored"/)
      expect(text).toMatch(/event: end\ndata: [^\n]*"status":"completed"/)
    }
  })
})

/** RFC 9112 section 7.1. No event contains CR. */
const LAST_CHUNK = /\r\n0\r\n\r\n$/

/** The content of a whole response that came in chunks: one may end anywhere in an event, if the client reads slowly. */
function contentOf(response: string): string {
  let rest = response.slice(response.indexOf('\r\n\r\n') + 4)
  let content = ''
  for (;;) {
    const sizeLine = rest.slice(0, rest.indexOf('\r\n'))
    const size = Number.parseInt(sizeLine, 16)
    if (!(size > 0)) return content
    const begin = sizeLine.length + 2
    content += rest.slice(begin, begin + size)
    rest = rest.slice(begin + size + 2)
  }
}

/** Uses a TCP connection, because fetch opens at most 256 connections per process. */
async function connectToStream(path: string): Promise<Connection> {
  const connection = await connectTo(service.origin)
  await connection.send(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n\r\n`)
  return connection
}

describe('GET /events', () => {
  test("sends changes of all jobs of the caller, and none of other users' jobs", async () => {
    const key = await service.addUser('watcher')
    await using stream = await watchAll(key)
    await service.finishedJob([sources.url('/ok/a')])
    const job = await service.finishedJob([sources.url('/ok/b')], {}, key)
    await service.request('DELETE', `/jobs/${job.id}`, { key })
    const seen: string[] = []
    for (;;) {
      const event = await stream.next()
      expect(event?.data.id).toBe(job.id)
      seen.push(event?.name === 'job' ? event.data.status : `${event?.name}`)
      if (event?.name === 'deleted') break
    }
    expect(seen.at(-1)).toBe('deleted')
  })

  test('sends a job with the same fields as the list', async () => {
    const key = await service.addUser('lister')
    await using stream = await watchAll(key)
    const { id } = await service.finishedJob([sources.url('/ok/a')], {}, key)
    const { body } = await service.request('GET', '/jobs', { key })
    expect(await untilJob(stream, 'completed')).toEqual(body.jobs[0])
    expect(body.jobs[0].id).toBe(id)
  })

  test('sends a job when its archive expires', async () => {
    await using own = await startService()
    const job = await own.finishedJob([sources.url('/ok/a')], { expires_in: 300 })
    await using stream = await openEventStream(`${own.origin}/events`, own.key)
    own.advance(300_000)
    await own.app.sweeper.sweep(Date.parse(job.expires_at))
    expect((await stream.until('job')).data.id).toBe(job.id)
  })

  test('a user may have 500 streams, and the next one is RATE_LIMITED, with Retry-After', async () => {
    await using own = await startService()
    using clients = new DisposableStack()
    for (let count = 0; count < 500; count++) {
      const client = clients.use(await connectTo(own.origin))
      await client.send(`GET /events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${own.key}\r\n\r\n`)
      await client.until(/^:$/m)
    }
    const refused = await own.request('GET', '/events')
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED'])
    expect(refused.headers.get('retry-after')).toBe('15')
    const other = await own.addUser('other')
    await using stream = await openEventStream(`${own.origin}/events`, other)
    expect(stream.response.status).toBe(200)
  })

  test('ends when its key is revoked', async () => {
    const { body } = await service.request('POST', '/api-keys')
    await using stream = await watchAll(body.api_key.key)
    await service.request('DELETE', `/api-keys/${body.api_key.id}`)
    expect(await stream.rest()).toEqual([])
  })

  test('ends when its key is revoked by a command', async () => {
    const { body } = await service.request('POST', '/api-keys')
    await using stream = await watchAll(body.api_key.key)
    const revoked = await runCommand(['key', 'revoke', body.api_key.id, '--data', service.dataDir])
    expect(revoked).toMatchObject({ exitCode: 0, stderr: '' })
    expect(await stream.rest()).toEqual([])
  })

  test('ends at once when the service stops', async () => {
    const own = await startService()
    await using stream = await openEventStream(`${own.origin}/events`, own.key)
    await own[Symbol.asyncDispose]()
    // One that the stop has waited for, and then broken off, would throw.
    expect(await stream.rest()).toEqual([])
  })
})

async function untilJob(stream: EventStream, status: string) {
  for (;;) {
    const { data } = await stream.until('job')
    if (data.status === status) return data
  }
}
