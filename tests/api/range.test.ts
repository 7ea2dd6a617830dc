import { describe, expect, test } from 'bun:test'
import { downloadArchive } from '../support/archive.ts'
import { forFile } from '../support/for-file.ts'
import { startService } from '../support/service.ts'
import { startSources } from '../support/sources.ts'

const sources = forFile(startSources())
const service = forFile(await startService())
const job = await service.finishedJob([sources.url('/ok/a'), sources.url('/ok/b')])
const { bytes: whole, etag, lastModified } = await downloadArchive(job.download_url)

const download = (headers: Record<string, string>, method = 'GET') =>
  fetch(job.download_url, { method, headers })

type Part = readonly [start: number, length: number]
const WHOLE = 'the whole archive'
const UNSATISFIABLE = 'unsatisfiable'
const BEYOND_64_BITS = '99999999999999999999999'

// The cases of ServeFileRangeTests in Go's net/http/fs_test.go, for an archive of n bytes. For several ranges, Go sends
// a multipart response, and for a malformed header an error. This service sends the whole archive in both cases (RFC
// 9110, section 14.2: a server may ignore Range, and must ignore a unit or a specifier that it does not understand).
const RANGES: readonly [string, (n: number) => string, (n: number) => Part | string][] = [
  ['no range', () => '', () => WHOLE],
  ['the first bytes', () => 'bytes=0-4', () => [0, 5]],
  ['from the third byte', () => 'bytes=2-', (n) => [2, n - 2]],
  ['the last five bytes', () => 'bytes=-5', (n) => [n - 5, 5]],
  ['bytes in the middle', () => 'bytes=3-7', () => [3, 5]],
  ['two ranges', () => 'bytes=0-0,-2', () => WHOLE],
  ['two ranges that touch', () => 'bytes=0-1,5-8', () => WHOLE],
  ['two ranges with spaces', () => 'bytes=0-1, 5-8 ', () => WHOLE],
  ['two ranges, of which one is beyond the end', () => 'bytes=0-1,99999999-', () => WHOLE],
  ['up to a byte beyond the end', () => 'bytes=5-99999999', (n) => [5, n - 5]],
  ['a suffix longer than the archive', () => 'bytes=-99999999', (n) => [0, n]],
  ['the last byte', (n) => `bytes=${n - 1}-`, (n) => [n - 1, 1]],
  ['exactly the whole archive', (n) => `bytes=0-${n - 1}`, (n) => [0, n]],
  ['one byte more than the archive', (n) => `bytes=0-${n}`, (n) => [0, n]],
  ['from the end', (n) => `bytes=${n}-`, () => UNSATISFIABLE],
  ['from beyond the end', () => 'bytes=99999999-', () => UNSATISFIABLE],
  ['between two positions beyond the end', (n) => `bytes=${n}-${n + 4}`, () => UNSATISFIABLE],
  ['a suffix of no bytes', () => 'bytes=-0', () => UNSATISFIABLE],
  ['an empty list of ranges', () => 'bytes=', () => WHOLE],
  ['a dash without numbers', () => 'bytes=-', () => WHOLE],
  ['letters in place of numbers', () => 'bytes=a-b', () => WHOLE],
  ['a start after its end', () => 'bytes=5-4', () => WHOLE],
  ['a start after its end, which is the first byte', () => 'bytes=5-0', () => WHOLE],
  ['a start at the end of the archive, after its own end', (n) => `bytes=${n}-0`, () => UNSATISFIABLE],
  ['a start beyond the end of the archive, after its own end', () => 'bytes=99999999-0', () => UNSATISFIABLE],
  ['a range with spaces', () => 'bytes = 3 - 7', () => [3, 5]],
  ['from the end, with spaces', (n) => `bytes = ${n} -`, () => UNSATISFIABLE],
  ['up to a byte beyond 64 bits', () => `bytes=5-${BEYOND_64_BITS}`, (n) => [5, n - 5]],
  ['up to a byte of a thousand digits', () => `bytes=0-${'9'.repeat(1_000)}`, (n) => [0, n]],
  ['a suffix beyond 64 bits', () => `bytes=-${BEYOND_64_BITS}`, (n) => [0, n]],
  ['from a byte beyond 64 bits', () => `bytes=${BEYOND_64_BITS}-`, () => UNSATISFIABLE],
  [
    'between two bytes beyond 64 bits',
    () => `bytes=${BEYOND_64_BITS}-${BEYOND_64_BITS}`,
    () => UNSATISFIABLE,
  ],
  ['numbers with leading zeros', () => `bytes=${'0'.repeat(30)}3-${'0'.repeat(30)}7`, () => [3, 5]],
  ['a sign', () => 'bytes=-+2', () => WHOLE],
  ['two dashes', () => 'bytes=--2', () => WHOLE],
  ['another unit', () => 'lines=0-4', () => WHOLE],
  ['no unit', () => '0-4', () => WHOLE],
]

describe('HTTP range requests (RFC 9110, section 14)', () => {
  test.each(RANGES)('%s', async (_what, rangeOf, expectedOf) => {
    const range = rangeOf(whole.length)
    const expected = expectedOf(whole.length)
    const response = await download(range === '' ? {} : { range })
    const contentRange = response.headers.get('content-range')
    if (expected === UNSATISFIABLE) {
      expect([response.status, contentRange]).toEqual([416, `bytes */${whole.length}`])
      expect(await response.json()).toMatchObject({
        success: false,
        error: { code: 'RANGE_NOT_SATISFIABLE' },
      })
      return
    }
    expect(response.headers.get('etag')).toBe(etag)
    expect(response.headers.get('content-type')).toBe('application/zip')
    if (typeof expected === 'string') {
      expect([response.status, contentRange]).toEqual([200, null])
      expect(await response.bytes()).toEqual(whole)
      return
    }
    const [start, length] = expected
    expect([response.status, contentRange]).toEqual([
      206,
      `bytes ${start}-${start + length - 1}/${whole.length}`,
    ])
    expect(response.headers.get('content-length')).toBe(String(length))
    expect(await response.bytes()).toEqual(whole.slice(start, start + length))
  })
})

// The test tries every combination of these values. The expected status follows the steps of section 13.2.2.
const TAGS = { none: null, own: () => etag, weak: () => `W/${etag}`, other: () => '"other"', any: () => '*' }
const DATES = {
  none: null,
  own: () => lastModified,
  earlier: () => 'Thu, 01 Jan 2015 00:00:00 GMT',
  later: () => 'Fri, 01 Jan 2100 00:00:00 GMT',
  unreadable: () => 'yesterday',
}
const VALIDATORS = { none: null, own: () => etag, other: () => '"other"', empty: () => '' }
type Names<T> = keyof T & string

const COMBINATIONS: readonly {
  readonly ifMatch: Names<typeof TAGS>
  readonly ifUnmodifiedSince: Names<typeof DATES>
  readonly ifNoneMatch: Names<typeof TAGS>
  readonly ifModifiedSince: Names<typeof DATES>
  readonly ifRange: Names<typeof VALIDATORS>
}[] = product()

describe('Conditional requests (RFC 9110, section 13.2.2)', () => {
  test('are evaluated in their order of precedence, for every combination of headers', async () => {
    const wrong: unknown[] = []
    for (let from = 0; from < COMBINATIONS.length; from += 50) {
      await Promise.all(
        COMBINATIONS.slice(from, from + 50).map(async (given) => {
          const headers = Object.fromEntries(
            [
              ['if-match', TAGS[given.ifMatch]],
              ['if-unmodified-since', DATES[given.ifUnmodifiedSince]],
              ['if-none-match', TAGS[given.ifNoneMatch]],
              ['if-modified-since', DATES[given.ifModifiedSince]],
              ['if-range', VALIDATORS[given.ifRange]],
            ].flatMap(([name, value]) => (typeof value === 'function' ? [[name, value()]] : [])),
          )
          const response = await download({ range: 'bytes=0-4', ...headers })
          await response.arrayBuffer()
          if (response.status !== expectedStatus(given)) wrong.push({ given, status: response.status })
        }),
      )
    }
    expect(wrong).toEqual([])
  })
})

function expectedStatus(given: (typeof COMBINATIONS)[number]): number {
  // Steps 1 and 2: If-Match compares strongly; without it, If-Unmodified-Since, unless that cannot be read.
  if (given.ifMatch !== 'none') {
    if (given.ifMatch !== 'own' && given.ifMatch !== 'any') return 412
  } else if (given.ifUnmodifiedSince === 'earlier') return 412
  // Steps 3 and 4: If-None-Match compares weakly; without it, If-Modified-Since.
  if (given.ifNoneMatch !== 'none') {
    if (given.ifNoneMatch !== 'other') return 304
  } else if (given.ifModifiedSince === 'own' || given.ifModifiedSince === 'later') return 304
  // Step 5: If-Range makes the range apply only to the same archive.
  return given.ifRange === 'other' ? 200 : 206
}

function product() {
  const names = <T extends object>(values: T) =>
    Object.keys(values).filter((name): name is Names<T> => name in values)
  return names(TAGS).flatMap((ifMatch) =>
    names(DATES).flatMap((ifUnmodifiedSince) =>
      names(TAGS).flatMap((ifNoneMatch) =>
        names(DATES).flatMap((ifModifiedSince) =>
          names(VALIDATORS).map((ifRange) => ({
            ifMatch,
            ifUnmodifiedSince,
            ifNoneMatch,
            ifModifiedSince,
            ifRange,
          })),
        ),
      ),
    ),
  )
}
