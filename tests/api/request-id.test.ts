import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const service = forFile(await startService({ 'log-level': ['debug'], 'log-format': ['json'] }))

const idOf = (headers: Headers) => headers.get('x-request-id') ?? ''
/** Waits for the log lines of a request, which are written just after its response. */
async function linesOf(id: string, count: number): Promise<Record<string, unknown>[]> {
  return await until(`there are ${count} log lines of the request`, () => {
    const lines = service.logged.map((line) => JSON.parse(line)).filter(({ request }) => request === id)
    return lines.length >= count && lines
  })
}

describe('Every response has a request id', () => {
  test.each([
    ['GET', '/health', 200],
    ['GET', '/me', 401],
    ['GET', '/nothing', 404],
    ['PATCH', '/health', 405],
    ['POST', '/sign-in', 400],
    ['GET', '/download/none', 403],
    ['GET', '/openapi.json', 200],
    ['GET', '/docs', 200],
  ])('%s %s (%d), which is also in the log', async (method, path, status) => {
    const response = await fetch(service.origin + path, { method })
    expect(response.status).toBe(status)
    const id = idOf(response.headers)
    expect(id).toMatch(/^[\da-f-]{36}$/)
    const [line] = await linesOf(id, 1)
    expect(line).toMatchObject({ level: 'debug', message: 'a request was answered', status })
  })

  test('which is the x-request-id of the client, if that is short and has only plain characters', async () => {
    const idFor = async (id: string) =>
      idOf((await service.request('GET', '/me', { headers: { 'x-request-id': id } })).headers)
    expect(await idFor('build-17_a.3')).toBe('build-17_a.3')
    for (const id of ['', 'two words', 'a"b', '<a>', 'x'.repeat(65)]) {
      expect(await idFor(id)).toMatch(/^[\da-f-]{36}$/)
    }
  })
})

test('an INTERNAL_ERROR contains the request id under which the log gives the reason', async () => {
  await using broken = await startService({ 'log-format': ['json'] })
  using database = new Database(`${broken.dataDir}/holdall.db`)
  database.run('ALTER TABLE jobs RENAME TO lost_jobs')
  const { headers, body } = await broken.request('GET', '/jobs')
  expect(body.error).toMatchObject({
    code: 'INTERNAL_ERROR',
    message: expect.stringContaining(idOf(headers)),
  })
  const lines = broken.logged.map((line) => JSON.parse(line))
  const line = lines.find(({ level, request }) => level === 'error' && request === idOf(headers))
  expect(line).toMatchObject({ error: expect.stringContaining('no such table') })
})
