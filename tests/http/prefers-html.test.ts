import { expect, test } from 'bun:test'
import { prefersHtml } from '../../server/http/ui/negotiation.ts'

test.each([
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', true],
  ['text/html', true],
  ['TEXT/HTML ; Q=0.9, */*;q=0.1', true],
  ['text/*', true],
  ['text/html;q=0.2, application/json;q=0.1', true],
  ['application/*;q=0.5, text/html;q=0.6', true],
  [null, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['text/html, application/json', false],
  ['text/html;q=0.1, application/json;q=0.2', false],
  ['text/html;q=0, */*', false],
  ['text/html;q=0', false],
  ['text/html;q=nonsense', false],
  ['text/*;q=0.3, */*;q=0.4', false],
  ['image/avif,image/webp,*/*;q=0.8', false],
])('Accept: %s prefers a page to JSON: %p', (accept, expected) => {
  expect(prefersHtml(accept)).toBe(expected)
})
