import fc from 'fast-check'

/**
 * Text that programs often handle wrongly: empty, control characters, lone surrogates, property names, paths, markup.
 */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\udfff\ud800',
    '\ufeff',
    '\uffff',
    '\u202e\u2066',
    '\r\nX-Injected: yes',
    '__proto__',
    'constructor',
    'null',
    'undefined',
    'NaN',
    '-0',
    '1e400',
    '../../../etc/passwd',
    '..%2f..%2f',
    '%',
    '%00',
    '%ff%fe',
    '%u0041',
    "'; DROP TABLE jobs; --",
    '<script>alert(1)</script>',
    '{{7*7}}',
    '\u{1d4b3}\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
    'e\u0301'.repeat(50),
  ),
)

/** Numbers at the limits of number types; some of them in forms that only JSON has. */
export const oddNumber: fc.Arbitrary<unknown> = fc.oneof(
  fc.double(),
  fc.constantFrom(0, -0, -1, 0.5, 1e21, -1e21, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 53), 5e-324),
  fc
    .constantFrom('1e400', '-1e400', '1E-400', '123456789012345678901234567890', '1.0', '-0.0')
    .map((digits) => DIGITS + digits),
)

const DIGITS = 'digits: '

/** JSON text, with numbers written in the chosen digits. */
export function written(value: unknown): string {
  return (JSON.stringify(value) ?? '').replaceAll(/"digits: ([^"]+)"/g, '$1')
}

/** JSON of other shapes than expected. */
export const oddJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { '': null }),
  oddNumber,
  oddText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(10, 15, 16, 17, 1_000).map(nestedArrays),
)

/** Values of header fields, in the bytes that HTTP allows there. */
export const oddFieldValue: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map(fieldCharacter), maxLength: 40 }),
  fc.constantFrom('', '*', ',', '""', '"', 'W/""', '=', ';q=', '\t', 'bytes=', `${'9'.repeat(400)}`),
)

function fieldCharacter(code: number): string {
  return String.fromCharCode(code === 0x7f ? 0x20 : code)
}

function nestedArrays(depth: number): unknown {
  let value: unknown = null
  for (let level = 0; level < depth; level++) value = [value]
  return value
}
