import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { renameSync } from 'node:fs'
import { errorEnvelope } from '../../server/http/schemas.ts'
import { openEventStream } from '../support/event-stream.ts'
import { sendRaw } from '../support/raw-request.ts'
import { PROGRAM_FILES, startService, type TestService } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

// The log has the reason of an internal failure. Clients learn only that the service failed.

test('an asset whose file is missing is INTERNAL_ERROR', async () => {
  using uiDir = tempDir()
  await Bun.write(uiDir.file('index.html'), '<!doctype html>')
  await Bun.write(uiDir.file('share.html'), '<!doctype html>')
  await Bun.write(uiDir.file('assets/app-1a2b3c.js'), 'export {}')
  await using service = await startService({}, { ...PROGRAM_FILES, uiDir: uiDir.path })
  renameSync(uiDir.file('assets/app-1a2b3c.js'), uiDir.file('elsewhere.js'))
  await expectFailure(service, 'GET /assets/app-1a2b3c.js')
})

describe('A service whose database fails', () => {
  test('responds INTERNAL_ERROR on every route and logs no secret of a request', async () => {
    await using service = await startService()
    using database = new Database(`${service.dataDir}/holdall.db`)
    for (const table of ['api_keys', 'jobs', 'sources']) {
      database.run(
        `CREATE TRIGGER fail_${table} BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'broken'); END`,
      )
    }
    const url = 'http://user:SOURCE-PASSWORD@127.0.0.1:9/?SOURCE-QUERY'
    const body = JSON.stringify({ urls: [url], metadata: { a: 'METADATA-VALUE' }, token: 'SIGN-IN-TOKEN' })
    await expectFailure(service, 'POST /jobs', [], body)
    await expectFailure(service, 'POST /api-keys', [], body)
    for (const table of ['jobs', 'sign_in_links', 'users']) {
      database.run(`ALTER TABLE ${table} RENAME TO lost_${table}`)
    }
    await expectFailure(service, 'POST /sign-in', [], body)
    await expectFailure(service, 'GET /jobs')
    await expectFailure(service, 'GET /jobs/stats')
    await expectFailure(service, 'GET /me')
    await expectFailure(service, 'DELETE /jobs/00000000-0000-4000-8000-000000000000', [], '{')
    const log = service.logged.join('')
    for (const secret of [
      'SOURCE-PASSWORD',
      'SOURCE-QUERY',
      'METADATA-VALUE',
      'SIGN-IN-TOKEN',
      service.key,
    ]) {
      expect(log).not.toContain(secret)
    }
  })
})

test('an event stream that fails ends, and the log has the reason', async () => {
  await using service = await startService()
  await using stream = await openEventStream(`${service.origin}/events`, service.key)
  using database = new Database(`${service.dataDir}/holdall.db`)
  database.run('ALTER TABLE api_keys RENAME TO lost_api_keys')
  expect(await stream.rest()).toEqual([])
  expect(service.logged.join('')).toMatch(/ error an event stream failed error=".*no such table/)
})

async function expectFailure(service: TestService, line: string, fields: readonly string[] = [], body = '') {
  const answer = await sendRaw(service.origin, {
    line: `${line} HTTP/1.1`,
    fields: [
      'Host: holdall.example',
      `Authorization: Bearer ${service.key}`,
      `Content-Length: ${body.length}`,
      ...fields,
    ],
    body,
  })
  expect([line, answer?.status]).toEqual([line, 500])
  const { error } = errorEnvelope.parse(JSON.parse(answer?.text ?? ''))
  expect(error.code).toBe('INTERNAL_ERROR')
  expect(answer?.text).not.toMatch(/SQL|\.ts|\/|hold_/)
  expect(answer?.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer?.headers.get('cache-control')).toBe('no-store')
}
