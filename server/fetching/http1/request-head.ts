import { TOKEN } from '../headers/allowed-headers.ts'

export interface RequestHead {
  readonly method: 'GET' | 'HEAD'
  /** The path with its query; or the whole URL, for a proxy (RFC 9112 section 3.2). */
  readonly target: string
  /** With `Host`. Each character is sent as one byte. */
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/**
 * The bytes of a request without a body.
 * @throws TypeError when the target, a name or a value could end its line, or has a character that is no byte
 */
export function formatRequest({ method, target, headers }: RequestHead): Uint8Array {
  if (!TARGET.test(target)) throw new TypeError('a request target has a character that is not allowed')
  return formatHead(`${method} ${target}`, headers)
}

/** @throws TypeError when a name or a value could end its line, or has a character that is no byte */
export function formatHead(methodAndTarget: string, headers: RequestHead['headers']): Uint8Array {
  let lines = `${methodAndTarget} HTTP/1.1\r\n`
  for (const [name, value] of headers) {
    if (!TOKEN.test(name)) throw new TypeError('the name of a header is not allowed')
    if (!FIELD_VALUE.test(value)) throw new TypeError('a header has a character that is not allowed')
    lines += `${name}: ${value}\r\n`
  }
  return Buffer.from(`${lines}\r\n`, 'latin1')
}

/** RFC 9112 section 3: whitespace would end the target. */
const TARGET = /^[!-~]+$/
/** RFC 9110 section 5.5: no control character but the tab. */
const FIELD_VALUE = /^[\t -~\x80-\xff]*$/
