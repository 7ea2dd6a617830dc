import { expect, test } from 'bun:test'
import type { ProbeResult } from '../../ui/src/api/types.ts'
import { findingsOf } from '../../ui/src/new-archive/check-findings.ts'
import type { DraftLink } from '../../ui/src/new-archive/draft-links.ts'

function found(more: Partial<ProbeResult>): ProbeResult {
  const nothing = { type: null, etag: null, error: null, warning: null }
  return { position: 0, status: 200, size: 100, name: 'a', host: 'a.test', ...nothing, ...more }
}

test('Of the links that are left, a check tells the size in all, and what may be removed', () => {
  const links = Array.from(
    { length: 7 },
    (_, at): DraftLink => ({ kind: 'link', url: `https://a.test/${at}`, filename: null }),
  )
  const results = [
    found({ etag: '"x"' }),
    found({ etag: '"x"' }),
    found({ etag: 'W/"y"' }),
    found({ etag: 'W/"y"', size: null }),
    found({ status: 404, size: null, error: 'HTTP 404' }),
    found({ warning: { code: 'HTML_INSTEAD', message: 'The source sent a web page.' } }),
  ]
  const byLink = new Map(
    links.flatMap((link, at) => (results[at] === undefined ? [] : [[link, results[at]]])),
  )
  const { findings, ...sums } = findingsOf(links, byLink, new Set())
  expect(sums).toEqual({ checkedCount: 6, totalBytes: 400, unknownSizeCount: 1 })
  expect(
    findings.map(({ kind, links }) => [kind, links.map(({ link, reason }) => `${link.url} ${reason}`)]),
  ).toEqual([
    ['failed', ['https://a.test/4 Not found (404)']],
    ['page', ['https://a.test/5 Web page instead of the file']],
    ['duplicate', ['https://a.test/1 Same file']],
  ])
  expect(findingsOf(links.slice(0, 1), byLink, new Set()).totalBytes).toBe(100)
})
