import { describe, expect, test } from 'bun:test'
import { recognisedIn } from '../../../ui/src/links/recognise-links.ts'
import { growth, MAX_GROWTH } from '../../support/cpu-time.ts'
import { A } from './paste.ts'

describe('Recognition takes time in proportion to the length of', () => {
  test.each([
    ['a list', (count: number) => `${A}\n`.repeat(count)],
    ['words without links', (count: number) => 'some words\n'.repeat(count)],
    ['one line of links', (count: number) => `${A},`.repeat(count)],
    ['one long word', (count: number) => 'a.b-c/'.repeat(count * 50)],
    ['opened brackets', (count: number) => `${A}(`.repeat(count)],
    ['one URL of brackets', (count: number) => `https://a.test/${'((['.repeat(count * 2)}`],
    ['unclosed quotes', (count: number) => `href="${A} `.repeat(count)],
    ['unclosed tags', (count: number) => `<p> <a href='${A} x `.repeat(count)],
    ['HTML', (count: number) => `<a href="${A}">one.pdf</a>\n`.repeat(count)],
    ['labels of labels', (count: number) => `[](${A}`.repeat(count)],
    ['CSV', (count: number) => `name,url\n${`one.pdf,${A}\n`.repeat(count)}`],
    ['JSON', (count: number) => `[${`{"url":"${A}","name":"one.pdf"},`.repeat(count)}`],
    ['opened JSON', (count: number) => `["${A}",${'['.repeat(count * 4)}`],
    ['escaped quotes in JSON', (count: number) => `["${A}","${'\\"'.repeat(count * 20)}`],
  ])('%s', (_, textOf) => {
    expect(growth(8_000, (count) => recognisedIn(textOf(count)))).toBeLessThan(MAX_GROWTH)
  })
})
