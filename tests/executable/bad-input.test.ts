import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { ApiKeyJson } from '../../server/http/api-key-schemas.ts'
import { errorEnvelope } from '../../server/http/error-schema.ts'
import { type Client, clientOf, signIn } from '../support/client.ts'
import { type Holdall, startHoldall } from '../support/executable.ts'
import { type Origin, startOrigin } from '../support/origin.ts'

const EXECUTABLE = join(import.meta.dir, '../../dist/holdall')
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

let holdall: Holdall
let origin: Origin
let owner: Client

beforeAll(async () => {
  origin = await startOrigin()
  holdall = await startHoldall()
  owner = await signIn(await holdall.signInLink())
})

afterAll(async () => {
  await holdall[Symbol.asyncDispose]()
  await origin[Symbol.asyncDispose]()
})

describe('Bad input is answered in the error envelope', () => {
  test.each([
    ['a malformed body', '{"urls": ['],
    ['no body', ''],
    ['a body that is no object', '"urls"'],
    ['a list that is no list', { urls: 'http://127.0.0.1/' }],
    ['a URL of another scheme', { urls: ['ftp://127.0.0.1/'] }],
    ['no URL', { urls: [] }],
    ['a number in quotes', { urls: ['http://127.0.0.1/'], expires_in: '3600' }],
    ['a switch that is no boolean', { urls: ['http://127.0.0.1/'], fail_on_url_error: 'no' }],
    ['a file name with a path', { urls: ['http://127.0.0.1/'], zip_filename: '../etc/passwd' }],
    ['metadata that is no text', { urls: ['http://127.0.0.1/'], metadata: { a: 1 } }],
  ])('%s is INVALID_REQUEST', async (_what, body) => {
    await expectError(await owner.request('POST', '/jobs', body), 400, 'INVALID_REQUEST')
  })

  test('every wrong field is named', async () => {
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

  test('a foreign job, and a foreign key, is NOT_FOUND, and its download needs no key', async () => {
    const job = await owner.untilEnded(await owner.createJob({ urls: [origin.url('/files/report.pdf')] }))
    const other = await addUser('other')
    const foreign = await other.request('GET', `/jobs/${job.id}`)
    await expectError(foreign, 404, 'NOT_FOUND')
    await expectError(await other.request('POST', `/jobs/${job.id}/retry`), 404, 'NOT_FOUND')
    const keys = await owner.request('GET', '/api-keys')
    const { api_keys }: { api_keys: ApiKeyJson[] } = JSON.parse(await keys.text())
    await expectError(await other.request('DELETE', `/api-keys/${api_keys[0]?.id}`), 404, 'NOT_FOUND')
    expect(await (await other.request('GET', '/jobs')).json()).toMatchObject({ jobs: [], meta: { total: 0 } })
    expect((await fetch(job.download_url ?? '')).status).toBe(200)
  })

  test('a token with any character changed, cut or added is INVALID_TOKEN', async () => {
    const job = await owner.untilEnded(await owner.createJob({ urls: [origin.url('/files/report.pdf')] }))
    const url = new URL(job.download_url ?? '')
    const token = url.pathname.slice('/download/'.length)
    // The last character alone may carry bits that the decoding drops: it must be held to all the same.
    const changed = [...token].map(
      (character, at) => token.slice(0, at) + other(character) + token.slice(at + 1),
    )
    for (const tampered of [...changed, token.slice(0, -1), `${token}A`, 'x', '%00']) {
      await expectError(await fetch(`${url.origin}/download/${tampered}`), 403, 'INVALID_TOKEN')
    }
  })

  test.each([
    ['none', {}],
    ['a malformed one', { authorization: 'Bearer' }],
    ['another scheme', { authorization: 'Basic aG9sZGFsbA==' }],
    ['an unknown one', { authorization: `Bearer hold_${'A'.repeat(49)}` }],
  ])('a request whose key is %s is UNAUTHORIZED', async (_what, headers: Record<string, string>) => {
    const response = await fetch(`${holdall.address}/jobs`, { headers })
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    await expectError(response, 401, 'UNAUTHORIZED')
  })

  test('another method is METHOD_NOT_ALLOWED, another type of body UNSUPPORTED_MEDIA_TYPE', async () => {
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

/** An answer that tells its code and how to do better, and nothing of the machine or of others. */
async function expectError(response: Response, status: number, code: string) {
  const text = await response.text()
  expect(text).not.toContain(holdall.dataDir)
  expect(text).not.toContain('hold_')
  expect(text).not.toMatch(/\bat .+:\d+:\d+|node_modules|\.ts\b/)
  const { error } = errorEnvelope.parse(JSON.parse(text))
  expect([response.status, error.code]).toEqual([status, code])
  expect(error.message).toMatch(/^\S.*\.$/s)
  return error
}

/** By the command line, while the service runs. */
async function addUser(name: string): Promise<Client> {
  const child = Bun.spawn([EXECUTABLE, 'user', 'add', name, '--data', holdall.dataDir], { stdout: 'pipe' })
  expect(await child.exited).toBe(0)
  const { key } = await signIn((await child.stdout.text()).trim())
  return clientOf(() => holdall.address, key)
}

function other(character: string): string {
  return character === 'A' ? 'B' : 'A'
}
