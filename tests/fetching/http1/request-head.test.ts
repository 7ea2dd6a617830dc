import { expect, test } from 'bun:test'
import { formatRequest } from '../../../server/fetching/http1/request-head.ts'

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

test('a request is its line, its headers and a blank line', () => {
  const headers = [
    ['Host', 'a.example'],
    ['X-Name', 'caf\xe9'],
  ] as const
  const request = formatRequest({ method: 'GET', target: '/a?b', headers })
  expect(text(request)).toBe('GET /a?b HTTP/1.1\r\nHost: a.example\r\nX-Name: caf\xe9\r\n\r\n')
})

test.each(['', '/a b', '/a\r\nX: y', '/a\0', '/é', '/a\tb'])('the target %j is refused', (target) => {
  expect(() => formatRequest({ method: 'GET', target, headers: [] })).toThrow(TypeError)
})

test.each([
  ['X', 'a\r\nY: b'],
  ['X', 'a\nb'],
  ['X', 'a\0'],
  ['X', '\u{1F600}'],
  ['X', 'Ā'],
  ['', 'a'],
  ['X:', 'a'],
  ['X Y', 'a'],
  ['X\r\nY', 'a'],
])('the header %j: %j is refused', (name, value) => {
  expect(() => formatRequest({ method: 'GET', target: '/', headers: [[name, value]] })).toThrow(TypeError)
})
