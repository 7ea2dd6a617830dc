import fc from 'fast-check'
import type { RawRequest } from '../support/raw-request.ts'
import { oddFieldValue } from './odd-values.ts'

/** Requests as no client library would send them; `{key}` stands for a valid key. Most of them are complete. */
export function rawRequestsFor(paths: readonly string[]): fc.Arbitrary<RawRequest> {
  const line = fc.tuple(method, targets(paths), version).map((parts) => parts.join(' '))
  return (
    fc
      .tuple(line, hosts, fc.array(field, { maxLength: 5 }), bodies)
      // A valid key must not revoke itself.
      .filter(([requestLine]) => !/^DELETE .*\/sign-in/.test(requestLine))
      .map(([requestLine, host, fields, { described, body }]) => ({
        line: requestLine,
        fields: [...host, ...fields, ...described],
        body,
      }))
  )
}

const method = fc.oneof(
  fc.constantFrom('GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'PUT', 'PATCH', 'TRACE', 'CONNECT', 'QUERY'),
  fc.constantFrom('get', 'BREW', 'G', 'PRI', 'M-SEARCH', 'GET\t', '\u00ff', ''),
)

const version = fc.oneof(
  { weight: 12, arbitrary: fc.constant('HTTP/1.1') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('HTTP/1.0', 'HTTP/1.2', 'HTTP/2.0', 'HTTP/11', 'http/1.1', '', 'HTTP/1.1 x'),
  },
)

function targets(paths: readonly string[]): fc.Arbitrary<string> {
  const known = fc.constantFrom(...paths, '/', '/assets/x', '/jobs/00000000-0000-4000-8000-000000000000')
  const bytes = fc.string({
    unit: fc.integer({ min: 0x21, max: 0xff }).map(String.fromCharCode),
    maxLength: 12,
  })
  return fc.oneof(
    { weight: 6, arbitrary: known },
    { weight: 1, arbitrary: fc.tuple(known, bytes).map((parts) => parts.join('')) },
    { weight: 1, arbitrary: fc.tuple(known, bytes).map(([path, query]) => `${path}?${query}`) },
    { weight: 1, arbitrary: known.map((path) => `http://other.example${path}`) },
    { weight: 1, arbitrary: known.map((path) => `/${path}`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '*',
        '',
        '?',
        '#',
        '//',
        'http://',
        'http://[/',
        'host:443',
        '*:443',
        '/%',
        '/..',
        '/.',
      ),
    },
    { weight: 1, arbitrary: fc.nat(20_000).map((length) => `/${'a'.repeat(length)}`) },
  )
}

const hosts: fc.Arbitrary<string[]> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('holdall.example', 'nas', 'a', '127.0.0.1:1', '[::1]').map(hostField),
  },
  { weight: 2, arbitrary: oddFieldValue.map(hostField) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('[', '[::', ':', 'a:b', 'a:65536', 'a b', 'u@a', 'a/b', '..').map(hostField),
  },
  { weight: 1, arbitrary: fc.constantFrom<string[]>([], ['Host: a', 'Host: b'], ['Host : a'], ['Host']) },
)

function hostField(host: string): string[] {
  return [`Host: ${host}`]
}

const fieldName = fc.oneof(
  fc.constantFrom(
    'Range',
    'If-Range',
    'Cookie',
    'Accept',
    'Expect',
    'Upgrade',
    'TE',
    'Trailer',
    'X-Forwarded-For',
  ),
  fc.constantFrom(
    'Content-Type',
    'Content-Encoding',
    'Transfer-Encoding',
    'Content-Length',
    'Proxy-Connection',
  ),
  fc.string({ unit: fc.integer({ min: 0x21, max: 0xff }).map(String.fromCharCode), maxLength: 8 }),
)

const field = fc.oneof(
  { weight: 6, arbitrary: fc.constant('Authorization: Bearer {key}') },
  { weight: 6, arbitrary: fc.tuple(fieldName, oddFieldValue).map(([name, value]) => `${name}: ${value}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(' folded', '\tfolded', ':', 'no colon', 'a : b', 'a:\nb: c', 'a: \0'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(90, 99, 150, 300).map((count) => Array(count).fill('X-Many: x').join('\r\n')),
  },
)

const NONE: readonly string[] = []

/** A body, with header fields that describe it correctly or not. */
const bodies: fc.Arbitrary<{ described: readonly string[]; body: string }> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ described: NONE, body: '' }) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('{}', '{', '', '{"urls":["http://127.0.0.1:9/"]}', '\u00ff', '[[[[', '{"token":"x"}')
      .map((body) => ({ described: [`Content-Length: ${body.length}`], body })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        '0\r\n\r\n',
        '2\r\n{}\r\n0\r\n\r\n',
        '2;name="value"\r\n{}\r\n0\r\nTrailer: x\r\n\r\n',
        'ZZ\r\n\r\n',
        '-1\r\n{}\r\n0\r\n\r\n',
        '0x2\r\n{}\r\n0\r\n\r\n',
        'FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n',
        '2\n{}\n0\n\n',
      )
      .map((body) => ({ described: ['Transfer-Encoding: chunked'], body })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        ['Content-Length: 2', 'Content-Length: 3'],
        ['Content-Length: 2', 'Transfer-Encoding: chunked'],
        ['Transfer-Encoding: chunked, chunked'],
        ['Transfer-Encoding: gzip, chunked'],
        ['Content-Length: +2'],
        ['Content-Length: 2, 2'],
        ['Content-Length: -2'],
        [`Content-Length: ${'9'.repeat(30)}`],
      )
      .map((described) => ({ described, body: '{}\r\n0\r\n\r\n' })),
  },
)
