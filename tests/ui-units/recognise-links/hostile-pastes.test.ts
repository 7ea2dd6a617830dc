import { describe, expect, test } from 'bun:test'
import { recognisedIn } from '../../../ui/src/links/recognise-links.ts'
import { MAX_HOSTILE_INPUT_SECONDS, processorSeconds } from '../../support/hostile-input.ts'
import { A } from './paste.ts'

const PASTE_CHARACTERS = 1_000_000

describe('A paste of a million characters takes less than two seconds if it is', () => {
  test.each([
    ['a list', '', `${A}\n`],
    ['words without links', '', 'some words\n'],
    ['one line of links', '', `${A},`],
    ['one long word', '', 'a.b-c/'],
    ['opened brackets', '', `${A}(`],
    ['one URL of brackets', 'https://a.test/', '((['],
    ['unclosed quotes', '', `href="${A} `],
    ['unclosed tags', '', `<p> <a href='${A} x `],
    ['HTML', '', `<a href="${A}">one.pdf</a>\n`],
    ['labels of labels', '', `[](${A}`],
    ['broken links', '', `${A.slice(0, -4)}/${'x'.repeat(60)}\nab/cd/ef\n`],
    ['broken links in angle brackets', '', `<https://a.test/${'x'.repeat(40)}\n`],
    ['names with spaces', '', 'https://a.test/my file one.pdf\n'],
    ['shortened labels', '', `[https://a.test/o…](${A})`],
    ['forum codes', '', `[url=${A}]${A}[/url]`],
    ['CSV', 'name,url\n', `one.pdf,${A}\n`],
    ['JSON', '[', `{"url":"${A}","name":"one.pdf"},`],
    ['opened JSON', `["${A}",`, '['],
    ['escaped quotes in JSON', `["${A}","`, '\\"'],
  ])('%s', (_, begin, part) => {
    const paste = begin + part.repeat(PASTE_CHARACTERS / part.length)
    expect(processorSeconds(() => recognisedIn(paste))).toBeLessThan(MAX_HOSTILE_INPUT_SECONDS)
  })
})
