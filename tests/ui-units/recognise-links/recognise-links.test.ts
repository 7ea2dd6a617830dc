import { describe, expect, test } from 'bun:test'
import type { Recognised, UrlProblem } from '../../../ui/src/links/link.ts'
import { linksAsText } from '../../../ui/src/links/links-as-text.ts'
import { recognisedIn, recogniseLinks } from '../../../ui/src/links/recognise-links.ts'
import { DATA_PASTES } from './data-pastes.ts'
import { MARKUP_PASTES } from './markup-pastes.ts'
import { A, B } from './paste.ts'
import { PROSE_PASTES } from './prose-pastes.ts'

const PASTES = [...PROSE_PASTES, ...MARKUP_PASTES, ...DATA_PASTES]

describe('Every http:// and https:// is a link, with its name, in', () => {
  test.each(PASTES.map((paste) => [paste.title, paste] as const))('%s', (_, paste) => {
    const items = recognisedIn(paste.text)
    expect(linksOf(items)).toEqual(
      paste.links.map((link) =>
        typeof link === 'string' ? { url: link, filename: null } : { url: link[0], filename: link[1] },
      ),
    )
    expect(items.flatMap((item) => (item.kind === 'schemeless' ? [item.url] : []))).toEqual([
      ...(paste.schemeless ?? []),
    ])
    expect(items.filter(({ kind }) => kind === 'text')).toHaveLength(paste.ignored ?? 0)
  })
})

test('The corpus has at least 60 pastes with different titles', () => {
  expect(new Set(PASTES.map(({ title }) => title)).size).toBeGreaterThanOrEqual(60)
  expect(PASTES).toHaveLength(new Set(PASTES.map(({ title }) => title)).size)
})

describe('Written as text and recognised again, the links and names are the same:', () => {
  test.each(PASTES.map((paste) => [paste.title, paste] as const))('%s', (_, paste) => {
    const items = recognisedIn(paste.text)
    expect(linksOf(recognisedIn(linksAsText(items)))).toEqual(linksOf(items))
  })
})

describe('An ignored line has a reason if it', () => {
  const cases: readonly (readonly [title: string, text: string, reason: UrlProblem])[] = [
    ['has another scheme', 'ftp://a.test/x', { code: 'UNSUPPORTED_SCHEME', scheme: 'ftp' }],
    ['is only a scheme', 'https://', { code: 'NOT_A_URL' }],
    ['has a wrong port', 'https://a.test:99999/', { code: 'NOT_A_URL' }],
    ['is too long', `https://a.test/${'x'.repeat(8_178)}`, { code: 'TOO_LONG' }],
  ]
  test.each(cases)('%s', (_, text, reason) => {
    expect(recognisedIn(text)).toEqual([{ kind: 'text', text, reason }])
  })

  test('but not if it is only words', () => {
    expect(recognisedIn('Dear Tom,')).toEqual([{ kind: 'text', text: 'Dear Tom,', reason: null }])
  })
})

test('A link of 8,192 characters is a link', () => {
  const longest = `https://a.test/${'x'.repeat(8_177)}`
  expect(linksOf(recognisedIn(longest))).toEqual([{ url: longest, filename: null }])
})

test('Each step tells how much of the text has been read, up to all of it', () => {
  const text = `${A}\nwords\n${B}`
  expect([...recogniseLinks(text)].map(({ read }) => read)).toEqual([A.length, A.length + 6, text.length])
})

function linksOf(items: readonly Recognised[]) {
  return items.flatMap((item) => (item.kind === 'link' ? [{ url: item.url, filename: item.filename }] : []))
}
