import { expect, test } from 'bun:test'
import { errorText } from '../../ui/src/map/error-text.ts'

test.each([
  ['HTTP 404', 'Not found (404)'],
  ['HTTP 403', 'No access (403)'],
  ['HTTP 500', 'Server error (500)'],
  ['HTTP 418', 'Not available (418)'],
  ['Timed out', 'Timed out'],
])('A link that failed with %p says %p', (error, text) => {
  expect(errorText(error)).toBe(text)
})
