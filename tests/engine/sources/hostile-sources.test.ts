import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectedSha256, type Origin, startOrigin } from '../../support/origin.ts'
import { readZip } from '../../support/read-zip.ts'
import { expectReadable } from '../../support/readers.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { testJob } from '../../support/test-job.ts'

let origin: Origin
beforeAll(async () => {
  origin = await startOrigin()
})
afterAll(() => origin[Symbol.asyncDispose]())

const SMALL = 2_000
const LARGE = 3_000_000

describe('a source that sends slowly', () => {
  const slow = { slowWindowMs: 300, minBytesPerSecond: 1_000, idleTimeoutMs: 10_000 }

  for (const [title, sizeBytes, framing] of [
    ['a small body', SMALL, 'length'],
    ['a large body', LARGE, 'length'],
    ['a body of unknown length', SMALL, 'chunked'],
  ] as const) {
    test(`fails without another attempt when it is too slow: ${title}`, async () => {
      using dir = tempDir()
      const path = `/bytes/${sizeBytes}/slow.bin?framing=${framing}&bytes_per_second=100`
      const job = testJob(dir.file('a.zip'), [origin.url(path), origin.url(`/bytes/${SMALL}/good.bin`)])
      expect(await job.run({ limits: slow })).toMatchObject({ status: 'completed' })
      expect(job.errors).toEqual([[0, 'Timed out']])
      expect(await readZip(job.archivePath)).toMatchObject([{ name: 'good.bin' }])
      expect(origin.requests(path)).toHaveLength(1)
    })
  }

  test('is fetched if it is fast enough', async () => {
    using dir = tempDir()
    const job = testJob(dir.file('a.zip'), [origin.url('/bytes/10000/x.bin?bytes_per_second=5000')])
    // A window that a busy machine does not miss.
    expect(await job.run({ limits: { ...slow, slowWindowMs: 1_500 } })).toMatchObject({ status: 'completed' })
    expect(await readZip(job.archivePath)).toMatchObject([{ sha256: expectedSha256(10_000) }])
  })
})

test('bytes beyond the declared length are not in the archive', async () => {
  using dir = tempDir()
  const sources = Array.from({ length: 30 }, (_, n) =>
    origin.url(`/bytes/${n % 5 === 0 ? LARGE : SMALL}/${n}.bin${n % 2 === 0 ? '?surplus=500' : ''}`),
  )
  const job = testJob(dir.file('a.zip'), sources)
  expect(await job.run()).toMatchObject({ status: 'completed' })
  expect(job.errors).toEqual([])
  const expected = sources.map((_, n) => {
    const sizeBytes = n % 5 === 0 ? LARGE : SMALL
    return { name: `${n}.bin`, sizeBytes, sha256: expectedSha256(sizeBytes) }
  })
  expect(await readZip(job.archivePath)).toMatchObject(expected)
})

test('no name from a source leads outside the folder that the archive is unpacked to', async () => {
  using dir = tempDir()
  const given = [
    ['attachment; filename="../../etc/passwd"', 'passwd'],
    ['attachment; filename="..\\\\..\\\\windows\\\\system.ini"', 'system.ini'],
    ['attachment; filename="C:\\\\evil.txt"', 'evil.txt'],
    ["attachment; filename*=UTF-8''%2e%2e%2fescaped.txt", 'escaped.txt'],
    ['attachment; filename="CON.txt"', '_CON.txt'],
    ['attachment; filename=".."', '_'],
    ['attachment; filename="gpj.\u202Eexe.txt"', 'gpj._exe.txt'],
    ["attachment; filename*=UTF-8''a%00b.txt", 'a_b.txt'],
  ] as const
  const sources = given.map(([disposition]) =>
    origin.url(`/bytes/${SMALL}?disposition=${encodeURIComponent(disposition)}`),
  )
  const job = testJob(dir.file('a.zip'), sources)
  await job.run()
  expect(job.errors).toEqual([])
  await expectReadable(
    job.archivePath,
    given.map(([, name]) => ({ name, sizeBytes: SMALL, sha256: expectedSha256(SMALL) })),
  )
})
