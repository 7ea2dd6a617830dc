import fc from 'fast-check'

/** Texts of which some are URLs, some of them of `http` or `https`, and some lead parsers of URLs astray. */
export function urlTexts(): fc.Arbitrary<string> {
  const anyText = fc.array(fc.constantFrom(...PIECES), { maxLength: 10 }).map((pieces) => pieces.join(''))
  return fc.oneof(
    anyText,
    anyText.map((end) => `http:${end}`),
    anyText.map((end) => `https://example.org${end}`),
  )
}

/** Pieces whose combinations the URL parser treats in special ways. */
const PIECES = [
  ...[
    'http',
    'https',
    'HTTP',
    'ftp',
    'ht',
    'tp',
    ':',
    '/',
    '//',
    '\\',
    '?',
    '#',
    '@',
    '.',
    '..',
    '%',
    '%2f',
    '%zz',
  ],
  ...[
    ' ',
    '\t',
    '\n',
    '\r',
    '\0',
    '\u{1F}',
    '\u{A0}',
    '[',
    ']',
    '[::1]',
    '127.1',
    '0x7f',
    'é',
    '日本',
    '\u{D800}',
  ],
  ...[
    'user',
    'a:b@',
    ':80',
    ':443',
    ':99999',
    ':',
    'example.org',
    'EXAMPLE.org.',
    'xn--a',
    '|',
    '^',
    '<',
    '"',
    '{',
  ],
]
