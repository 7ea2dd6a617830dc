import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { ErrorCode } from '../../server/errors.ts'
import type { ApiKeyJson } from '../../server/http/keys/schemas.ts'
import { errorEnvelope } from '../../server/http/schemas.ts'
import { type Client, signIn, signInOwner } from '../support/client.ts'
import { addUser, type Holdall, startHoldall } from '../support/executable.ts'
import { type Origin, startOrigin } from '../support/origin.ts'

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

let holdall: Holdall
let origin: Origin
let owner: Client

beforeAll(async () => {
  origin = await startOrigin()
  holdall = await startHoldall()
  owner = await signInOwner(holdall)
})

afterAll(async () => {
  await holdall[Symbol.asyncDispose]()
  await origin[Symbol.asyncDispose]()
})

describe('Bad input gets an error envelope', () => {
  test.each([
    ['a malformed body', '{"urls": ['],
    ['no body', ''],
    ['a body that is not an object', '"urls"'],
    ['a string in place of a list', { urls: 'http://127.0.0.1/' }],
    ['a URL of another scheme', { urls: ['ftp://127.0.0.1/'] }],
    ['no URL', { urls: [] }],
    ['a number in quotes', { urls: ['http://127.0.0.1/'], expires_in: '3600' }],
    ['a string in place of a boolean', { urls: ['http://127.0.0.1/'], fail_on_url_error: 'no' }],
    ['a file name with a path', { urls: ['http://127.0.0.1/'], zip_filename: '../etc/passwd' }],
    ['a number in metadata', { urls: ['http://127.0.0.1/'], metadata: { a: 1 } }],
  ])('%s is INVALID_REQUEST', async (_what, body) => {
    await expectError(await owner.request('POST', '/jobs', body), 400, 'INVALID_REQUEST')
  })

  test('the error names every invalid field', async () => {
    const response = await owner.request('POST', '/jobs', {
      urls: ['x', 'http://127.0.0.1/'],
      expires_in: 1.5,
    })
    const { issues = [] } = await expectError(response, 400, 'INVALID_REQUEST')
    expect(issues.map(({ path }) => path).toSorted()).toEqual(['expires_in', 'urls.0'])
  })

  test.each([UNKNOWN_ID, 'no-uuid', '..%2f..%2fetc', '%00'])('an unknown id %s is NOT_FOUND', async (id) => {
    await expectError(await owner.request('GET', `/jobs/${id}`), 404, 'NOT_FOUND')
    await expectError(await owner.request('POST', `/jobs/${id}/retry`), 404, 'NOT_FOUND')
    await expectError(await owner.request('DELETE', `/api-keys/${id}`), 404, 'NOT_FOUND')
  })

  test("another user's job or key is NOT_FOUND, but its download URL works for everyone", async () => {
    const job = await owner.untilEnded(await owner.createJob({ urls: [origin.url('/files/report.pdf')] }))
    const other = await signIn(addUser(holdall, 'other'))
    await expectError(await other.request('GET', `/jobs/${job.id}`), 404, 'NOT_FOUND')
    await expectError(await other.request('POST', `/jobs/${job.id}/retry`), 404, 'NOT_FOUND')
    const keys = await owner.request('GET', '/api-keys')
    const { api_keys }: { api_keys: ApiKeyJson[] } = JSON.parse(await keys.text())
    await expectError(await other.request('DELETE', `/api-keys/${api_keys[0]?.id}`), 404, 'NOT_FOUND')
    expect(await (await other.request('GET', '/jobs')).json()).toMatchObject({ jobs: [], meta: { total: 0 } })
    expect((await fetch(job.download_url ?? '')).status).toBe(200)
  })

  test('a token is INVALID_TOKEN after a change of any character', async () => {
    const job = await owner.untilEnded(await owner.createJob({ urls: [origin.url('/files/report.pdf')] }))
    const url = new URL(job.download_url ?? '')
    const token = url.pathname.slice('/download/'.length)
    const changed = [...token].map(
      (character, at) => token.slice(0, at) + other(character) + token.slice(at + 1),
    )
    for (const tampered of [...changed, token.slice(0, -1), `${token}A`, 'x', '%00']) {
      await expectError(await fetch(`${url.origin}/download/${tampered}`), 403, 'INVALID_TOKEN')
    }
  })

  test.each([
    ['no key', {}],
    ['a malformed key', { authorization: 'Bearer' }],
    ['another scheme', { authorization: 'Basic aG9sZGFsbA==' }],
    ['an unknown key', { authorization: `Bearer hold_${'A'.repeat(49)}` }],
  ])('a request with %s is UNAUTHORIZED', async (_what, headers: Record<string, string>) => {
    const response = await fetch(`${holdall.address}/jobs`, { headers })
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    await expectError(response, 401, 'UNAUTHORIZED')
  })

  test('a wrong method is METHOD_NOT_ALLOWED, and a wrong media type is UNSUPPORTED_MEDIA_TYPE', async () => {
    const put = await owner.request('PUT', '/jobs', {})
    expect(put.headers.get('allow')).toContain('POST')
    await expectError(put, 405, 'METHOD_NOT_ALLOWED')
    const form = await fetch(`${holdall.address}/jobs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.key}`, 'content-type': 'text/plain' },
      body: '{}',
    })
    await expectError(form, 415, 'UNSUPPORTED_MEDIA_TYPE')
  })
})

/** Expects an error with a code and a message, and nothing about the machine, the program or other users. */
async function expectError(response: Response, status: number, code: ErrorCode) {
  const text = await response.text()
  expect(text).not.toContain(holdall.dataDir)
  expect(text).not.toContain('hold_')
  expect(text).not.toMatch(/\bat .+:\d+:\d+|node_modules|\.ts\b/)
  const { error } = errorEnvelope.parse(JSON.parse(text))
  expect([response.status, error.code]).toEqual([status, code])
  expect(error.message).toMatch(/^\S.*\.$/s)
  return error
}

function other(character: string): string {
  return character === 'A' ? 'B' : 'A'
}
