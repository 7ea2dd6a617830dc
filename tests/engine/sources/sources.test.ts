import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  expectedSha256,
  type Origin,
  refusedUrl,
  samples,
  sha256,
  startOrigin,
} from '../../support/origin.ts'
import { readZip } from '../../support/read-zip.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { SHORT_TIMEOUTS, testJob } from '../../support/test-job.ts'

let origin: Origin
beforeAll(async () => {
  origin = await startOrigin()
})
afterAll(() => origin[Symbol.asyncDispose]())

const SMALL = 20_000
const IN_PLACE = 300_000
const LARGE = 3_000_000

describe('bodies of every size and framing are packed byte for byte', () => {
  for (const sizeBytes of [0, 1, SMALL, 65_535, 65_536, IN_PLACE, LARGE]) {
    for (const framing of ['length', 'chunked', 'close']) {
      for (const type of ['application/octet-stream', 'text/plain']) {
        test.concurrent(`${sizeBytes} bytes, ${framing}, ${type}`, async () => {
          using dir = tempDir()
          const job = testJob(dir.file('a.zip'), [
            origin.url(`/bytes/${sizeBytes}/x.bin?framing=${framing}&type=${type}`),
          ])
          expect(await job.run()).toMatchObject({ status: 'completed' })
          expect(await readZip(job.archivePath)).toMatchObject([
            { name: 'x.bin', sizeBytes, sha256: expectedSha256(sizeBytes) },
          ])
        })
      }
    }
  }
})

test.concurrent('files of several types are packed in URL order, text compressed and the rest stored', async () => {
  using dir = tempDir()
  const job = testJob(
    dir.file('a.zip'),
    samples.map(({ name }) => origin.url(`/files/${name}?delay_ms=${name.length}`)),
  )
  await job.run()
  expect(await readZip(job.archivePath)).toEqual(
    samples.map(({ name, bytes }) => ({
      name,
      sizeBytes: bytes.length,
      sha256: sha256(bytes),
      isDeflated: name.endsWith('.json'),
    })),
  )
})

test.concurrent('the same URL twice becomes two entries, numbered in URL order whichever arrives first', async () => {
  using dir = tempDir()
  const urls = [
    `/bytes/${IN_PLACE}/a.bin?delay_ms=60`,
    `/bytes/${SMALL}/a.bin`,
    `/bytes/${IN_PLACE}/a.bin?delay_ms=60`,
  ]
  const job = testJob(
    dir.file('a.zip'),
    urls.map((url) => origin.url(url)),
  )
  expect(await job.run()).toMatchObject({ status: 'completed' })
  const entries = await readZip(job.archivePath)
  expect(entries.map(({ name }) => name)).toEqual(['a.bin', 'a (2).bin', 'a (3).bin'])
  expect(entries.map(({ sizeBytes }) => sizeBytes)).toEqual([IN_PLACE, SMALL, IN_PLACE])
})

describe('a fault of one source is reported, and the other sources are packed', () => {
  const failures: readonly (readonly [title: string, path: string, error: string, requests: number])[] = [
    ['a permanent status', '/status/404', 'HTTP 404', 1],
    ['a temporary status', '/status/503', 'HTTP 503', 4],
    [
      'a small body cut short',
      `/bytes/${SMALL}?cut_at=1000&etag=none&last_modified=none`,
      'Connection closed early',
      4,
    ],
    [
      'a large body cut short',
      `/bytes/${LARGE}?cut_at=2000000&etag=none&last_modified=none`,
      'Connection closed early',
      4,
    ],
    [
      'a chunked body without its end',
      `/bytes/${SMALL}?framing=chunked&cut_at=1000&etag=none&last_modified=none`,
      'Connection closed early',
      4,
    ],
    [
      'a reset in a body without a length',
      `/bytes/${LARGE}?framing=close&reset_at=70000&etag=none&last_modified=none`,
      'Connection closed early',
      4,
    ],
    [
      'a reset in the body',
      `/bytes/${LARGE}?reset_at=70000&etag=none&last_modified=none`,
      'Connection closed early',
      4,
    ],
    // Further attempts, until the time is over in which a source must bring something new. On a busy machine, that is one attempt sooner.
    ['no response', '/silent', 'Timed out', 3],
    ['a body that stops', `/bytes/${LARGE}?stall_at=100000`, 'Timed out', 4],
    ['something that is not HTTP', '/garbage', 'Malformed response', 1],
    ['redirects in a circle', '/redirect-loop', 'Too many redirects', 21],
    ['a redirect to another scheme', '/redirect/1?to=ftp://127.0.0.1/x', 'Unsupported redirect', 1],
    [
      'a redirect to an address that is not allowed',
      '/redirect/1?to=http://10.0.0.1/x',
      'Address not allowed',
      1,
    ],
    ['an encoding that does not decode', '/encoded/gzip?corrupt=1', 'Unreadable content encoding', 1],
  ]
  for (const [title, path, error, requests] of failures) {
    const isTimed = error === 'Timed out'
    // The time limit also holds for the good source, which the other tests would slow down.
    const run = isTimed ? test : test.concurrent
    run(title, async () => {
      using dir = tempDir()
      const url = `${path}${path.includes('?') ? '&' : '?'}test=${encodeURIComponent(title)}`
      const job = testJob(dir.file('a.zip'), [origin.url(url), origin.url(`/bytes/${SMALL}/good.bin`)])
      expect(await job.run({ limits: isTimed ? SHORT_TIMEOUTS : {} })).toMatchObject({ status: 'completed' })
      expect(job.errors).toEqual([[0, error]])
      expect(await readZip(job.archivePath)).toMatchObject([
        { name: 'good.bin', sha256: expectedSha256(SMALL) },
      ])
      expect(origin.requests(url).length).toBeWithin(isTimed ? requests - 1 : requests, requests + 1)
    })
  }

  test.concurrent('a port on which nothing listens', async () => {
    using dir = tempDir()
    const job = testJob(dir.file('a.zip'), [refusedUrl(), origin.url(`/bytes/${SMALL}/good.bin`)])
    await job.run()
    expect(job.errors).toEqual([[0, 'Connection refused']])
  })

  test.concurrent('a host that does not exist', async () => {
    using dir = tempDir()
    const job = testJob(dir.file('a.zip'), ['http://nowhere.invalid/x'])
    expect(await job.run()).toMatchObject({ status: 'failed', failure: { code: 'ALL_URLS_FAILED' } })
    expect(job.errors).toEqual([[0, 'Could not resolve host']])
  })
})

describe('temporary failures are retried', () => {
  test.concurrent('until the source responds', async () => {
    using dir = tempDir()
    const url = `/bytes/${SMALL}/x.bin?fail=2&retry_after=0`
    const job = testJob(dir.file('a.zip'), [origin.url(url)])
    expect(await job.run()).toMatchObject({ status: 'completed' })
    expect(origin.requests(url)).toHaveLength(3)
  })

  for (const framing of ['length', 'chunked']) {
    test.concurrent(`by resuming a large ${framing} body where it broke off`, async () => {
      using dir = tempDir()
      const url = `/bytes/${LARGE}/x.bin?cut_at=1500000&times=1&framing=${framing}`
      const job = testJob(dir.file('a.zip'), [origin.url(url)])
      expect(await job.run()).toMatchObject({ status: 'completed' })
      const [, second] = origin.requests(url)
      const [, from] = /^bytes=(\d+)-$/.exec(second?.headers.get('range') ?? '') ?? []
      expect(Number(from)).toBeWithin(1, 1_500_001)
      expect(second?.headers.get('if-range')).toBe(`"${LARGE}-1"`)
      expect(await readZip(job.archivePath)).toMatchObject([{ sha256: expectedSha256(LARGE) }])
    })
  }

  for (const misfit of [
    'etag=weak',
    'etag=changing',
    'ranges=ignored',
    'ranges=wrong',
    'etag=none&last_modified=none',
  ]) {
    test.concurrent(`without mixing two versions of a body: ${misfit}`, async () => {
      using dir = tempDir()
      const url = `/bytes/${LARGE}/x.bin?cut_at=1000000&times=1&${misfit}`
      const job = testJob(dir.file('a.zip'), [origin.url(url)])
      // Without a rate, no part is asked for.
      expect(await job.run({ nowMs: () => 0 })).toMatchObject({ status: 'completed' })
      expect(await readZip(job.archivePath)).toMatchObject([
        { sha256: expectedSha256(LARGE), sizeBytes: LARGE },
      ])
      if (misfit !== 'ranges=wrong') expect(origin.requests(url)).toHaveLength(2)
    })
  }
})

describe('redirects and encodings', () => {
  test.concurrent('twenty redirects are followed', async () => {
    using dir = tempDir()
    const job = testJob(dir.file('a.zip'), [origin.url(`/redirect/20?to=/bytes/${SMALL}`)])
    expect(await job.run()).toMatchObject({ status: 'completed' })
    expect(await readZip(job.archivePath)).toMatchObject([{ sha256: expectedSha256(SMALL) }])
  })

  for (const coding of ['gzip', 'br', 'deflate']) {
    test.concurrent(`a body with the encoding ${coding} is decoded`, async () => {
      using dir = tempDir()
      const job = testJob(dir.file('a.zip'), [origin.url(`/encoded/${coding}?size=100000`)])
      expect(await job.run()).toMatchObject({ status: 'completed' })
      expect(await readZip(job.archivePath)).toMatchObject([{ sha256: expectedSha256(100_000) }])
    })
  }
})
