import { decodedText, utf8HeaderText, utf8Text } from '../headers/header-text.ts'
import type { SourceResponse } from '../response.ts'

/** The file name that the head of a response gives its body; null if it gives none. */
export function nameInHead(headers: SourceResponse['headers']): string | null {
  const disposition = headers.get('content-disposition')
  return disposition === null ? null : filenameOf(disposition)
}

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
  const plain = parameters.filter(({ name }) => name === 'filename').map(({ value }) => plainValue(value))
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
  let at = 0
  while (at < header.length) {
    const end = semicolonAfter(header, at)
    const section = header.slice(at, end)
    const equals = section.indexOf('=')
    const name = section.slice(0, equals).trim().toLowerCase()
    const value = section.slice(equals + 1).trimStart()
    at = end + 1
    if (equals === -1) continue
    if (value.startsWith('"')) {
      const quoted = quotedString(header, end - value.length)
      parameters.push({ name, value: quoted.value })
      at = semicolonAfter(header, quoted.end) + 1
    } else {
      // Not a quote of HTTP, but servers write it.
      parameters.push({ name, value: value.trimEnd().replace(/^'(.*)'$/s, '$1') })
    }
  }
  return parameters
}

/** Index of the next semicolon, or the end of the header. */
function semicolonAfter(header: string, at: number): number {
  const index = header.indexOf(';', at)
  return index === -1 ? header.length : index
}

/** RFC 9110 section 5.6.4: a backslash escapes the next character. */
function quotedString(header: string, start: number): { readonly value: string; readonly end: number } {
  let value = ''
  let at = start + 1
  for (; at < header.length && header[at] !== '"'; at += 1) {
    if (header[at] === '\\') at += 1
    value += header[at] ?? ''
  }
  return { value, end: at }
}

/**
 * RFC 8187 section 3.2.1: `UTF-8'en'%e2%82%ac.txt`. Servers also use other charsets, which `TextDecoder` knows (WHATWG Encoding,
 * section 4.2). Null for an unknown charset, and for bytes that are invalid in it.
 */
function extendedValue(value: string): string | null {
  const [, charset = '', encoded = ''] = /^([^']*)'[^']*'(.*)$/su.exec(value) ?? []
  const bytes = percentDecoded(encoded)
  return bytes === null ? null : decodedText(bytes, charset)
}

/** Servers escape UTF-8 in the plain form, too, as browsers understand it. Escapes of ASCII alone stay: `100%25.txt` may be a name. */
function plainValue(value: string): string {
  if (!/%[89a-f][0-9a-f]/i.test(value)) return value
  const bytes = percentDecoded(value)
  return (bytes === null ? null : utf8Text(bytes)) ?? value
}

/** Null for a broken escape. Characters that should have been escaped are read as UTF-8, like the header's other values. */
function percentDecoded(text: string): Uint8Array | null {
  if (/%(?![0-9a-f]{2})/i.test(text)) return null
  const latin1 = Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(latin1, 'latin1')
}
