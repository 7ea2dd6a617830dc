// test group: long
import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { download, signInOwner } from '../support/client.ts'
import { startHoldall } from '../support/executable.ts'
import { killDownload } from '../support/kill-download.ts'
import { expectedSha256, type Origin, samples, sha256, startOrigin } from '../support/origin.ts'
import { type ExpectedEntry, expectReadable } from '../support/readers.ts'
import { sha256OfFile } from '../support/sha256.ts'
import { tempDir } from '../support/temp-dir.ts'

const BINARY_BYTES = 200_000_000
const MAX_MEMORY_BYTES = 250_000_000

test('A PDF, a PNG, a JSON file and a body of 200 MB are packed byte for byte in bounded memory, and a broken download resumes', async () => {
  await using origin = await startOrigin()
  await using holdall = await startHoldall()
  using dir = tempDir()
  const client = await signInOwner(holdall)
  const { urls, entries } = realFiles(origin)

  const job = await client.untilEnded(await client.createJob({ urls, zip_filename: 'Reports' }))
  expect(job).toMatchObject({ status: 'completed', file_count: 4, url_count: 4, zip_filename: 'Reports.zip' })
  expect(job.errors).toBeUndefined()
  expect(holdall.peakMemoryBytes()).toBeLessThan(MAX_MEMORY_BYTES)

  const whole = dir.file('whole.zip')
  await download(job, whole)
  expect(statSync(whole).size).toBe(job.zip_size)
  await expectReadable(whole, entries)

  const broken = dir.file('broken.zip')
  await killDownload(['curl', '-sS', '-o', broken, job.download_url ?? ''])
  const keptBytes = statSync(broken).size
  expect(keptBytes).toBeGreaterThan(0)
  expect(keptBytes).toBeLessThan(job.zip_size)
  const resumed = Bun.spawn(['curl', '-sS', '--fail', '-C', '-', '-o', broken, job.download_url ?? ''])
  expect(await resumed.exited).toBe(0)
  expect(await sha256OfFile(broken)).toBe(await sha256OfFile(whole))
}, 180_000)

test('Each URL is requested once', async () => {
  await using origin = await startOrigin()
  await using holdall = await startHoldall()
  const client = await signInOwner(holdall)
  const urls = samples.map(({ name }) => origin.url(`/files/${name}`))
  await client.untilEnded(await client.createJob({ urls }))
  expect(samples.map(({ name }) => origin.requests(`/files/${name}`).length)).toEqual([1, 1, 1])
})

/** The URLs of the sample files and of a large body, and the expected entries. */
function realFiles(origin: Origin): { urls: string[]; entries: ExpectedEntry[] } {
  const small = samples.map(({ name, bytes }) => ({ name, sha256: sha256(bytes), sizeBytes: bytes.length }))
  const large = { name: 'disk.img', sha256: expectedSha256(BINARY_BYTES), sizeBytes: BINARY_BYTES }
  const urls = [...samples.map(({ name }) => `/files/${name}`), `/bytes/${BINARY_BYTES}/disk.img`]
  return { urls: urls.map(origin.url), entries: [...small, large] }
}
