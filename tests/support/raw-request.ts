import { connectTo } from './connection.ts'

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Headers
  readonly text: string
}

/** What fetch would refuse to send or would mend: a request line and header fields as they are. */
export interface RawRequest {
  /** `GET /health HTTP/1.1` */
  readonly line: string
  /** `Host: example.org` */
  readonly fields?: readonly string[]
  readonly body?: string
}

/**
 * Sends a request on a connection of its own, and hangs up after the deadline: a request that is not complete gets no
 * answer. @returns null when none came
 */
export async function sendRaw(
  origin: string,
  request: RawRequest,
  deadlineMs = 10_000,
): Promise<RawAnswer | null> {
  const { line, fields = [], body = '' } = request
  using connection = await connectTo(origin)
  const head = [line, ...fields, 'Connection: close'].join('\r\n')
  await connection.send(Buffer.from(`${head}\r\n\r\n${body}`, 'latin1')).catch(() => {})
  return parseAnswer(await connection.whole(deadlineMs))
}

function parseAnswer(received: string): RawAnswer | null {
  if (received === '') return null
  const [head = '', ...rest] = received.split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
  if (Number.isNaN(status)) throw new Error(`Not an answer of HTTP/1.1: ${received}`)
  // Goes before the answer itself (RFC 9110, section 15.2.1).
  if (status === 100) return parseAnswer(rest.join('\r\n\r\n'))
  const headers = new Headers()
  for (const field of fields) {
    const [name = '', ...value] = field.split(':')
    headers.append(name, value.join(':').trim())
  }
  const text = rest.join('\r\n\r\n')
  // Another answer, to what stood behind the request.
  if (text.startsWith('HTTP/1.1 ')) return { status, headers, text: '' }
  const sizeBytes = Number(headers.get('content-length') ?? text.length)
  return { status, headers, text: Buffer.from(text).subarray(0, sizeBytes).toString() }
}
