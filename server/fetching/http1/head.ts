import { Http1Failure } from './failure.ts'

/** The status line and the headers of a response (RFC 9112 section 4, RFC 9110 section 5). */
export interface ResponseHead {
  readonly status: number
  readonly httpVersion: '1.0' | '1.1'
  readonly headers: ResponseHeaders
}

/** Headers as the server sent them: each character of a value is one byte. */
export class ResponseHeaders {
  /** In lower case. */
  readonly #names: readonly string[]
  readonly #values: readonly string[]

  constructor(names: readonly string[], values: readonly string[]) {
    this.#names = names
    this.#values = values
  }

  /** All values of a header, in any case, joined by `, ` (RFC 9110 section 5.3); null if there is none. */
  get(name: string): string | null {
    const first = this.#names.indexOf(name.toLowerCase())
    if (first < 0) return null
    const value = this.#values[first] ?? ''
    const hasOthers = this.#names.includes(name.toLowerCase(), first + 1)
    return hasOthers ? this.getAll(name).join(', ') : value
  }

  /** Each value by itself, in order. */
  getAll(name: string): readonly string[] {
    const wanted = name.toLowerCase()
    return this.#values.filter((_value, index) => this.#names[index] === wanted)
  }
}

/** The index after the blank line that ends a head, or -1. A line may end with LF alone (RFC 9112 section 2.2). */
export function endOfHead(bytes: Uint8Array, from: number): number {
  for (let index = bytes.indexOf(LF, from); index >= 0; index = bytes.indexOf(LF, index + 1)) {
    if (bytes[index + 1] === LF) return index + 2
    if (bytes[index + 1] === CR && bytes[index + 2] === LF) return index + 3
  }
  return -1
}

/** Whether the bytes, which may be few, can be the begin of a head. */
export function beginsLikeHead(bytes: Buffer): boolean {
  return HTTP_NAME.startsWith(bytes.toString('latin1', 0, Math.min(bytes.length, HTTP_NAME.length)))
}

/**
 * Reads a head as leniently as curl: with folded headers (RFC 9112 section 5.2), and with whitespace before a colon.
 * @throws Http1Failure `malformed`
 */
export function parseHead(text: string): ResponseHead {
  const lines = text.split('\n')
  const [, version, status] = STATUS_LINE.exec(lines[0] ?? '') ?? []
  if (version === undefined || status === undefined) throw new Http1Failure('malformed', 'status line')
  if (text.includes('\0')) throw new Http1Failure('malformed', 'NUL in a header')
  return {
    status: Number(status),
    httpVersion: version === '1.0' ? '1.0' : '1.1',
    headers: parseHeaders(lines.slice(1)),
  }
}

function parseHeaders(lines: readonly string[]): ResponseHeaders {
  const names: string[] = []
  const values: string[] = []
  for (const line of lines) {
    if (line === '' || line === '\r') continue
    if (line.startsWith(' ') || line.startsWith('\t')) {
      const from = line.search(NO_BLANK)
      if (from < 0) continue
      const content = trimmedEnd(line, from)
      const last = values.pop()
      // A folded first line continues nothing.
      if (last === undefined) throw new Http1Failure('malformed', 'folded status line')
      values.push(last === '' ? content : `${last} ${content}`)
      continue
    }
    const [begin, name] = HEADER_BEGIN.exec(line) ?? []
    if (begin === undefined || name === undefined) throw new Http1Failure('malformed', 'name of a header')
    names.push(name.toLowerCase())
    values.push(trimmedEnd(line, begin.length))
  }
  return new ResponseHeaders(names, values)
}

/** From an index on, without blanks at the end. Not `trimEnd`, which also removes bytes of UTF-8 text, such as 0xA0. */
function trimmedEnd(text: string, from: number): string {
  let end = text.length
  while (end > from && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(from, end)
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB || code === CR
}

const HTTP_NAME = 'HTTP/1.'
/** With the name (RFC 9110 section 5.6.2) as the first group; the value follows. */
const HEADER_BEGIN = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+)[ \t\r]*:[ \t\r]*/
const NO_BLANK = /[^ \t\r]/
const STATUS_LINE = /^HTTP\/(1\.[01])[ \t]+([1-9]\d\d)(?:[ \t].*)?\r?$/
export const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
const TAB = 0x09
