import { connectTo } from './connection.ts'

/** A response, read without an HTTP client. */
export interface RawResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** A request that is sent exactly as it is, while fetch would refuse or correct it. */
export interface RawRequest {
  /** `GET /health HTTP/1.1` */
  readonly line: string
  /** `Host: example.org` */
  readonly fields?: readonly string[]
  readonly body?: string
}

/**
 * Sends a request on a new connection.
 * @param deadlineMs after which the connection is closed, since an incomplete request gets no response
 * @returns null if there was no response
 */
export async function sendRaw(
  origin: string,
  request: RawRequest,
  deadlineMs = 10_000,
): Promise<RawResponse | null> {
  const { line, fields = [], body = '' } = request
  using connection = await connectTo(origin)
  const head = [line, ...fields, 'Connection: close'].join('\r\n')
  await connection.send(Buffer.from(`${head}\r\n\r\n${body}`, 'latin1')).catch(() => {})
  return parseResponse(await connection.untilClosed(deadlineMs))
}

function parseResponse(received: string): RawResponse | null {
  if (received === '') return null
  const [head = '', ...rest] = received.split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
  if (Number.isNaN(status)) throw new Error(`Not a response of HTTP/1.1: ${received}`)
  // 100 Continue precedes the actual response (RFC 9110, section 15.2.1).
  if (status === 100) return parseResponse(rest.join('\r\n\r\n'))
  // Bun refuses bytes that followed the request at once, also while it writes the head of the response to it.
  const refusal = fields.findIndex((field) => field.startsWith('HTTP/1.1 '))
  if (refusal !== -1)
    return parseResponse(received.slice(received.indexOf(fields[refusal] ?? '', line.length)))
  const headers = new Headers()
  for (const field of fields) {
    const [name = '', ...value] = field.split(':')
    headers.append(name, value.join(':').trim())
  }
  const text = rest.join('\r\n\r\n')
  // The response to bytes that followed the request.
  if (text.startsWith('HTTP/1.1 ')) return { status, headers, text: '' }
  const sizeBytes = Number(headers.get('content-length') ?? text.length)
  return { status, headers, text: Buffer.from(text).subarray(0, sizeBytes).toString() }
}
