import { expect, test } from 'bun:test'
import { fetched } from '../../support/fetched.ts'
import { forFile } from '../../support/for-file.ts'
import { expectedSha256, startOrigin } from '../../support/origin.ts'

const origin = forFile(await startOrigin())

const SIZE = 20_000
const whole = { sizeBytes: SIZE, sha256: expectedSha256(SIZE) }

test.concurrent.each([
  ['203', '/status/203', { sizeBytes: 'Status 203\n'.length }],
  ['206 whose Content-Range covers the whole', `/whole-as-206/${SIZE}`, whole],
  ['a chunked body with another Content-Length beside it', `/length-beside-chunked/${SIZE}`, whole],
  [
    '202 with Retry-After, and the file after it',
    `/bytes/${SIZE}?fail=2&fail_status=202&retry_after=0`,
    whole,
  ],
])('a file is packed: %s', async (_, path, entry) => {
  expect(await fetched(origin.url(path))).toMatchObject(entry)
})

test.concurrent.each([
  ['202 without Retry-After', '/status/202', 'HTTP 202', 1],
  ['204', '/status/204', 'HTTP 204', 1],
  ['205', '/status/205', 'HTTP 205', 1],
  ['207', '/status/207', 'HTTP 207', 1],
  ['226', '/status/226', 'HTTP 226', 1],
  ['206 for the first half', `/half-as-206/${SIZE}`, 'Malformed response', 1],
  ['206 whose body is shorter than its range', `/short-206/${SIZE}`, 'Connection closed early', 4],
  ['206 whose body is longer than its range', `/long-206/${SIZE}`, 'Malformed response', 1],
  ['206 whose length is shorter than its range', `/shorter-length-206/${SIZE}`, 'Malformed response', 1],
  ['206 without Content-Range', `/rangeless-206/${SIZE}`, 'Malformed response', 1],
  ['200 with the Content-Range of the second half', `/half-as-200/${SIZE}`, 'Malformed response', 1],
])('no file, and a failure: %s', async (_, path, error, requests) => {
  expect(await fetched(origin.url(path))).toBe(error)
  expect(origin.requests(path)).toHaveLength(requests)
})

test('202 with Retry-After is not a failure of the source until the host has answered nothing else for 120 seconds', async () => {
  // More than the attempts that a source has.
  const late = `/bytes/${SIZE}?fail=6&fail_status=202&retry_after=0`
  expect(await fetched(origin.url(late))).toMatchObject(whole)
  const never = '/x?fail=1000000&fail_status=202&retry_after=0'
  expect(await fetched(origin.url(never), { limits: { lostAfterMs: 300 } })).toBe('HTTP 202')
})
