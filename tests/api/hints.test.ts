import { expect, test } from 'bun:test'
import { forFile } from '../support/for-file.ts'
import { startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'

const sources = forFile(startSources())
const service = forFile(await startService())

async function hintsOf(body: object): Promise<unknown> {
  const reply = await service.request('POST', '/jobs', { body: { urls: [sources.url('/ok/a')], ...body } })
  expect(reply.status).toBe(201)
  return reply.body.hints
}

const files = (more: object) => ({ urls: null, files: [{ url: sources.url('/ok/a'), ...more }] })

test('A field in another spelling is told in the 201', async () => {
  expect(await hintsOf({ zipFilename: 'x', 'fail-on-url-error': false, FailOnWarning: true })).toEqual([
    { path: 'zipFilename', message: 'is ignored. Did you mean zip_filename?' },
    { path: 'fail-on-url-error', message: 'is ignored. Did you mean fail_on_url_error?' },
    { path: 'FailOnWarning', message: 'is ignored. Did you mean fail_on_warning?' },
  ])
})

test('so is a field in the wrong place, once for all files', async () => {
  expect(await hintsOf(files({ expires_in: 5, fileName: 'x' }))).toEqual([
    { path: 'files.0.expires_in', message: 'is ignored here: expires_in belongs beside files.' },
    { path: 'files.0.fileName', message: 'is ignored. Did you mean filename?' },
  ])
  expect(await hintsOf({ filename: 'x' })).toEqual([
    { path: 'filename', message: 'is ignored here: filename belongs inside files.' },
  ])
})

test('and what people would not expect to be ignored', async () => {
  expect(await hintsOf(files({ headers: { a: 'b' }, 'sha-256': 'x' }))).toEqual([
    { path: 'files.0.headers', message: expect.stringContaining('is ignored') },
    { path: 'files.0.sha-256', message: expect.stringContaining('is ignored') },
  ])
})

test('A schedule has them, too', async () => {
  const body = { name: 'a', urls: [sources.url('/ok/a')], every: 'day', time_zone: 'UTC' }
  const told = await service.request('POST', '/schedules', {
    body: { ...body, onGone: 'fail', timezone: 'UTC' },
  })
  expect([told.status, told.body.hints]).toEqual([
    201,
    [
      { path: 'onGone', message: 'is ignored. Did you mean on_gone?' },
      { path: 'timezone', message: 'is ignored. Did you mean time_zone?' },
    ],
  ])
  expect((await service.request('POST', '/schedules', { body })).body.hints).toBeUndefined()
})

test('Other unknown fields are ignored, and without hints there is no field', async () => {
  expect(await hintsOf({ color: 'red', weather: 1 })).toBeUndefined()
  expect(await hintsOf({})).toBeUndefined()
})
