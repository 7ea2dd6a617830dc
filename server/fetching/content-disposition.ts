import { utf8HeaderText, utf8Text } from './header-text.ts'

/**
 * The file name of a `Content-Disposition` header (RFC 6266), or null when it has none. A readable `filename*` has
 * precedence over `filename`. If a parameter is repeated, the first one counts. `headerValue` is the value from fetch, with
 * one character per byte. The name is not safe yet: it may contain a path or control characters (RFC 6266 section 4.3),
 * which `likelyEntryName` handles.
 */
export function filenameOf(headerValue: string): string | null {
  const parameters = parametersOf(utf8HeaderText(headerValue) ?? headerValue)
  const extended = parameters
    .filter(({ name }) => name === 'filename*')
    .map(({ value }) => extendedValue(value))
  const plain = parameters.filter(({ name }) => name === 'filename').map(({ value }) => value)
  return [...extended, ...plain].find((value) => value !== null && value !== '') ?? null
}

interface Parameter {
  /** In lower case. */
  readonly name: string
  readonly value: string
}

/**
 * The parameters, in order. Like browsers, accepts more than RFC 6266 section 4.1 allows: spaces around `=`, unquoted values
 * with spaces, a quote that is never closed, a missing disposition type.
 */
function parametersOf(header: string): Parameter[] {
  const parameters: Parameter[] = []
  let position = 0
  while (position < header.length) {
    const end = semicolonAfter(header, position)
    const section = header.slice(position, end)
    const equals = section.indexOf('=')
    const name = section.slice(0, equals).trim().toLowerCase()
    const value = section.slice(equals + 1).trimStart()
    position = end + 1
    if (equals === -1) continue
    if (value.startsWith('"')) {
      const quoted = quotedString(header, end - value.length)
      parameters.push({ name, value: quoted.value })
      position = semicolonAfter(header, quoted.end) + 1
    } else {
      parameters.push({ name, value: value.trimEnd() })
    }
  }
  return parameters
}

/** Position of the next semicolon, or the end of the header. */
function semicolonAfter(header: string, position: number): number {
  const index = header.indexOf(';', position)
  return index === -1 ? header.length : index
}

/** RFC 9110 section 5.6.4: a backslash escapes the next character. */
function quotedString(header: string, start: number): { readonly value: string; readonly end: number } {
  let value = ''
  let position = start + 1
  for (; position < header.length && header[position] !== '"'; position += 1) {
    if (header[position] === '\\') position += 1
    value += header[position] ?? ''
  }
  return { value, end: position }
}

/**
 * RFC 8187 section 3.2.1: `UTF-8'en'%e2%82%ac.txt`. Its predecessor (RFC 5987) also allowed ISO-8859-1. Null for any other
 * charset, and for bytes that are invalid in the given one.
 */
function extendedValue(value: string): string | null {
  const [, charset = '', encoded = ''] = /^([^']*)'[^']*'(.*)$/su.exec(value) ?? []
  if (/%(?![0-9a-f]{2})/i.test(encoded)) return null
  // Characters that should have been percent-encoded are read as UTF-8, like the header's other values.
  const latin1 = Buffer.from(encoded, 'utf8')
    .toString('latin1')
    .replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  if (/^utf-?8$/i.test(charset)) return utf8Text(Buffer.from(latin1, 'latin1'))
  if (/^iso-8859-1$/i.test(charset)) return latin1
  return null
}
