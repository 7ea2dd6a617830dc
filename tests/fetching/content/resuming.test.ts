// test group: long
import { describe, expect, test } from 'bun:test'
import { fetched } from '../../support/fetched.ts'
import { forFile } from '../../support/for-file.ts'
import { expectedSha256, startOrigin } from '../../support/origin.ts'

const origin = forFile(await startOrigin('0.0.0.0'))

const SIZE = 3_000_000

describe('a body that broke off is resumed', () => {
  test.concurrent('by Last-Modified, if that is a minute older than Date', async () => {
    const path = `/bytes/${SIZE}?cut_at=1500000&times=1&etag=none&resumed=by-last-modified`
    expect(await fetchedInOne(origin.url(path))).toMatchObject({ sha256: expectedSha256(SIZE) })
    expect(rangesOf(path)).toEqual([
      [null, null],
      ['the rest', 'Tue, 04 Mar 2025 05:06:08 GMT'],
    ])
  })

  test.concurrent('by Last-Modified beside a weak tag', async () => {
    const path = `/bytes/${SIZE}?cut_at=1500000&times=1&etag=weak&resumed=beside-weak-tag`
    expect(await fetchedInOne(origin.url(path))).toMatchObject({ sha256: expectedSha256(SIZE) })
    expect(rangesOf(path)[1]).toEqual(['the rest', 'Tue, 04 Mar 2025 05:06:08 GMT'])
  })

  test.concurrent.each([
    ['with a strong tag', ''],
    ['with Last-Modified alone', '&etag=none'],
  ])('as often as that brings new bytes, if every transfer is cut after 200 kB, %s', async (_, query) => {
    const path = `/bytes/1000000?cut_after=200000${query}`
    expect(await fetchedInOne(origin.url(path))).toMatchObject({ sha256: expectedSha256(1_000_000) })
    // Each attempt keeps all that it brought.
    const ranges = [200_000, 400_000, 600_000, 800_000].map((from) => `bytes=${from}-`)
    expect(origin.requests(path).map(({ headers }) => headers.get('range'))).toEqual([null, ...ranges])
  })

  test.concurrent('if the rest comes without validators', async () => {
    const path = `/rest-without-validators/${SIZE}`
    expect(await fetchedInOne(origin.url(path))).toMatchObject({ sha256: expectedSha256(SIZE) })
    expect(rangesOf(path)).toEqual([
      [null, null],
      ['the rest', '"1"'],
    ])
  })
})

describe('a body that broke off starts over', () => {
  test.concurrent.each([
    'rest-with-weak-tag',
    'rest-with-weak-form-of-tag',
    'rest-with-unquoted-tag',
    'rest-with-two-tags',
    'rest-with-other-last-modified',
    'rest-with-tag-and-other-last-modified',
    'rest-with-coding',
    'rest-as-200',
  ])('after a response for the rest that does not fit: %s', async (source) => {
    const path = `/${source}/${SIZE}`
    expect(await fetchedInOne(origin.url(path))).toMatchObject({ sha256: expectedSha256(SIZE, 2) })
    expect(rangesOf(path)).toEqual([
      [null, null],
      ['the rest', '"1"'],
      [null, null],
    ])
  })

  test.concurrent.each([
    ['shorter', 300_000],
    ['longer', 300_000],
    ['shorter', SIZE],
    ['longer', SIZE],
  ])(
    'after a response for the rest whose length is %s than its range, of %d bytes',
    async (how, sizeBytes) => {
      const path = `/rest-with-${how}-length/${sizeBytes}`
      expect(await fetchedInOne(origin.url(path))).toMatchObject({ sha256: expectedSha256(sizeBytes, 2) })
      expect(rangesOf(path)).toEqual([
        [null, null],
        ['the rest', '"1"'],
        [null, null],
      ])
    },
  )

  test.concurrent('after the rest of a longer file', async () => {
    const path = `/rest-of-longer-file/${SIZE}`
    expect(await fetchedInOne(origin.url(path))).toMatchObject({ sha256: expectedSha256(SIZE + 1000, 2) })
  })

  test.concurrent.each([
    ['Last-Modified less than a minute older than Date', 'etag=none&last_modified=recent'],
    ['no validator', 'etag=none&last_modified=none'],
    ['a weak tag alone', 'etag=weak&last_modified=none'],
  ])('with %s', async (_, query) => {
    const path = `/bytes/${SIZE}?cut_at=1500000&times=1&${query}`
    expect(await fetchedInOne(origin.url(path))).toMatchObject({ sha256: expectedSha256(SIZE) })
    expect(rangesOf(path)).toEqual([
      [null, null],
      [null, null],
    ])
  })

  test.concurrent.each([
    ['another URL', (path: string) => path],
    ['another host', (path: string) => origin.urlAtHost(2, path)],
  ])('when a redirect leads to %s with the same tag, which is not asked for the rest', async (where, to) => {
    const then = to(`/same-tag/${SIZE}?test=${encodeURIComponent(where)}`)
    const query = new URLSearchParams({ to: `/first-half/${SIZE}`, then, where })
    expect(await fetchedInOne(origin.url(`/redirect-elsewhere?${query}`))).toMatchObject({
      sha256: expectedSha256(SIZE, 2),
    })
    expect(rangesOf(`/same-tag/${SIZE}`).flat()).toEqual(
      rangesOf(`/same-tag/${SIZE}`).flatMap(() => [null, null]),
    )
  })
})

/** Without a rate, no part of a body is asked for, however long it takes. */
function fetchedInOne(url: string) {
  return fetched(url, { nowMs: () => 0 })
}

/** For each request, whether it asks for the rest, and its `If-Range`. */
function rangesOf(path: string) {
  return origin.requests(path).map(({ headers }) => {
    const range = headers.get('range')
    return [range === null ? null : 'the rest', headers.get('if-range')]
  })
}
