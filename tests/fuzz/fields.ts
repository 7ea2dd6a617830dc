import fc from 'fast-check'
import { oddFieldValue } from './odd-values.ts'

type Field = readonly [name: string, value: string]

/** Header fields of a request by name, with valid and invalid values. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  Accept: ['*/*', 'text/html', 'application/json;q=0'],
  'Accept-Encoding': ['gzip, br;q=0', '*;q=-1', 'identity;q=0'],
  Authorization: ['Bearer', 'Basic aG9sZGFsbA==', 'Bearer  hold_ x', 'bearer null'],
  'Content-Encoding': ['gzip', 'br, br, br', 'identity'],
  'Content-Type': [
    'application/json',
    'application/json; charset=utf-16',
    'multipart/form-data',
    'text/plain',
    ';',
  ],
  Cookie: ['a=b', '__proto__=x', '%ff=%'],
  'If-Match': ['*', '"x"', 'W/"x", "y"'],
  'If-Modified-Since': ['Fri, 31 Dec 9999 23:59:59 GMT', 'Fri, 31 Dec 99999 23:59:59 GMT', '0'],
  'If-None-Match': ['*', '"x"', 'W/"x", "y"'],
  'If-Range': ['"x"', 'W/"x"', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  'If-Unmodified-Since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'yesterday'],
  'Last-Event-ID': ['0', '-1'],
  Origin: ['null', 'http://other.example'],
  Range: [
    'bytes=0-0',
    'bytes=5-',
    'bytes=-5',
    'bytes=99999-0',
    'bytes=0-99999999999999999999999',
    'bytes=0-1,3-4',
  ],
  'User-Agent': [''],
  'X-API-Key': ['hold_x'],
  'X-Forwarded-Host': ['other.example', '[', 'a b', 'a/b'],
  'X-Forwarded-Proto': ['https', 'javascript'],
  'X-HTTP-Method-Override': ['DELETE'],
  'X-Request-ID': ['x', 'a'.repeat(500)],
}

/** Fields that select a part of an archive are more frequent. */
const names = fc.oneof(
  fc.constantFrom('Range', 'Range', 'If-Range', 'If-Match', 'If-None-Match', 'If-Unmodified-Since'),
  fc.constantFrom(...Object.keys(VALUES)),
)

const field: fc.Arbitrary<Field> = fc.oneof(
  {
    weight: 2,
    arbitrary: names.chain((name) => fc.tuple(fc.constant(name), fc.constantFrom(...(VALUES[name] ?? [''])))),
  },
  { weight: 1, arbitrary: fc.tuple(names, oddFieldValue) },
)

/** Mostly none. */
export const fields: fc.Arbitrary<readonly Field[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 2, arbitrary: fc.array(field, { maxLength: 4 }) },
)
