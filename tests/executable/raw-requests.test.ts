import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ErrorCode } from '../../server/errors.ts'
import { errorEnvelope } from '../../server/http/schemas.ts'
import { signInOwner } from '../support/client.ts'
import { type Holdall, startHoldall } from '../support/executable.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { sendRaw } from '../support/raw-request.ts'

// NODE_ENV=development must not enable the error page of Bun, which shows sources and paths.

let holdall: Holdall
let origin: Origin

beforeAll(async () => {
  origin = await startOrigin()
  holdall = await startHoldall({ env: { NODE_ENV: 'development' } })
})

afterAll(async () => {
  await holdall[Symbol.asyncDispose]()
  await origin[Symbol.asyncDispose]()
})

test.each([
  ['GET /nothing HTTP/1.1', 'Host: ['],
  ['GET /nothing HTTP/1.1', 'Host:'],
  ['GET /nothing HTTP/1.0', 'Accept: */*'],
  ['CONNECT * HTTP/1.1', 'Host: holdall.example'],
])('%s with %s is INVALID_REQUEST in the envelope', async (line, field) => {
  await expectError(line, field, 400, 'INVALID_REQUEST')
})

test('POST /sign-in reaches its route at a host name of three letters', async () => {
  await expectError('POST /sign-in HTTP/1.1', 'Host: nas', 400, 'INVALID_REQUEST')
})

test('a download whose file cannot be read is UNAVAILABLE, and its link is not in the log', async () => {
  const owner = await signInOwner(holdall)
  const job = await owner.untilEnded(await owner.createJob({ urls: [origin.url('/files/report.pdf')] }))
  const archive = join(holdall.dataDir, 'archives', `${job.id}.zip`)
  rmSync(archive)
  mkdirSync(archive)
  const path = new URL(job.download_url ?? '').pathname
  await expectError(`GET ${path} HTTP/1.1`, 'Host: holdall.example', 503, 'UNAVAILABLE')
  for (const secret of [path, owner.key]) expect(holdall.output()).not.toContain(secret)
})

async function expectError(line: string, field: string, status: number, code: ErrorCode): Promise<void> {
  const answer = await sendRaw(holdall.address, { line, fields: [field] })
  expect(answer?.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer?.text).not.toMatch(/\bat .+:\d+:\d+|node_modules|\.ts\b|bunfs/)
  expect(answer?.text).not.toContain(holdall.dataDir)
  const { error } = errorEnvelope.parse(JSON.parse(answer?.text ?? ''))
  expect([answer?.status, error.code]).toEqual([status, code])
}
