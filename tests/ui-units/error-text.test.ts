import { expect, test } from 'bun:test'
import { fetchErrorTexts, zipSizeLimitText } from '../../server/fetching/attempts/fetch-failure.ts'
import { errorText } from '../../ui/src/map/error-text.ts'

test.each([
  ['HTTP 404', 'Not found (404)'],
  ['HTTP 403', 'No access (403)'],
  ['HTTP 500', 'Server error (500)'],
  ['HTTP 503', 'Server unavailable (503)'],
  ['HTTP 418', 'Not available (418)'],
  ['Could not resolve host', 'No such server (DNS)'],
  ['Timed out', 'Server took too long'],
  [zipSizeLimitText(2e9), 'Doesn’t fit: archives can have up to 2 GB'],
  ['An error of a newer service', 'An error of a newer service'],
])('A link that failed with %p says %p', (error, text) => {
  expect(errorText(error)).toBe(text)
})

test('Every error of the service has words of its own, and no two errors share them', () => {
  const words = fetchErrorTexts.map(errorText)
  expect(new Set(words).size).toBe(fetchErrorTexts.length)
  expect(fetchErrorTexts.filter((error) => errorText(error) === error)).toEqual(['Too many redirects'])
})
