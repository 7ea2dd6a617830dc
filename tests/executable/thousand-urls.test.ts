// test group: long
import { expect, test } from 'bun:test'
import { download, signInOwner } from '../support/client.ts'
import { startHoldall } from '../support/executable.ts'
import { expectedSha256, type Origin, refusedUrl, startOrigin } from '../support/origin.ts'
import { type ExpectedEntry, expectReadable } from '../support/readers.ts'
import { tempDir } from '../support/temp-dir.ts'

const URL_COUNT = 1_000
const SMALL_BYTES = 20_000
const LARGE_BYTES = 200_000_000
const MAX_MEMORY_BYTES = 250_000_000

test.concurrent('A job that tolerates failures packs the other URLs when 5% of 1,000 fail, in bounded memory', async () => {
  await using origin = await startOrigin()
  await using holdall = await startHoldall()
  using dir = tempDir()
  const client = await signInOwner(holdall)
  const { urls, entries, errors } = thousandUrls(origin, LARGE_BYTES)

  const job = await client.untilEnded(await client.createJob({ urls, fail_on_url_error: false }))
  expect(job.status).toBe('completed')
  expect(job.failure).toBeUndefined()
  expect(job.errors).toEqual(errors)
  expect(job.file_count).toBe(entries.length)

  const zip = dir.file('all.zip')
  await download(job, zip)
  await expectReadable(zip, entries)
  expect(holdall.peakMemoryBytes()).toBeLessThan(MAX_MEMORY_BYTES)
}, 240_000)

test.concurrent('A strict job fails when 5% of 1,000 URLs fail, lists them in URL order and offers no archive', async () => {
  await using origin = await startOrigin()
  await using holdall = await startHoldall()
  const client = await signInOwner(holdall)
  const { urls, errors } = thousandUrls(origin, SMALL_BYTES)

  const job = await client.untilEnded(await client.createJob({ urls }))
  expect(job.status).toBe('failed')
  expect(job.failure?.code).toBe('URL_FAILED')
  expect(job.errors).toEqual(errors)
  expect(job.download_url).toBeUndefined()
  expect(job.completed_at).toBeNull()
}, 240_000)

interface ThousandUrls {
  readonly urls: string[]
  readonly entries: ExpectedEntry[]
  readonly errors: { url: string; error: string }[]
}

/** Every twentieth URL fails, in one of three ways. */
function thousandUrls(origin: Origin, middleBytes: number): ThousandUrls {
  const failures = [
    (index: number) => ({ url: origin.url(`/status/404?${index}`), error: 'HTTP 404' }),
    (index: number) => ({ url: refusedUrl(`/${index}`), error: 'Connection refused' }),
    (index: number) => ({
      url: origin.url(`/bytes/${SMALL_BYTES}?seed=${index}&cut_at=5000`),
      error: 'Connection closed early',
    }),
  ]
  const result: ThousandUrls = { urls: [], entries: [], errors: [] }
  for (let index = 0; index < URL_COUNT; index += 1) {
    const failure = index % 20 === 7 ? failures[Math.floor(index / 20) % failures.length]?.(index) : undefined
    if (failure !== undefined) {
      result.errors.push(failure)
      result.urls.push(failure.url)
      continue
    }
    const sizeBytes = index === URL_COUNT / 2 ? middleBytes : SMALL_BYTES
    const name = `file-${index}.bin`
    result.entries.push({ name, sha256: expectedSha256(sizeBytes, index), sizeBytes })
    result.urls.push(origin.url(`/bytes/${sizeBytes}/${name}?seed=${index}`))
  }
  return result
}
