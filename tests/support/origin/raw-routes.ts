import { expectedBytes } from './deterministic-bytes.ts'
import type { Route } from './route.ts'

/** Sources that frame or write their responses in ways that strict parsers refuse. Each path ends with the size of the body. */
export const rawRoutes: Readonly<Record<string, Route>> = {
  'folded-header': withHeaders((size) => `X-Note: one\r\n  two\r\nContent-Length: ${size}\r\n`),
  'space-before-colon': withHeaders((size) => `Content-Length : ${size}\r\n`),
  'length-twice': withHeaders((size) => `Content-Length: ${size}, ${size}\r\n`),
  '300-headers': withHeaders((size) => `${MANY_HEADERS}Content-Length: ${size}\r\n`),
  /** Sizes of chunks with zeros and spaces around them. */
  'padded-chunks': (_request, _count, size) => {
    const body = expectedBytes(Number(size))
    const chunk = `000${body.length.toString(16)}   \r\n`
    return raw('Transfer-Encoding: chunked\r\n', [Buffer.from(chunk), body, Buffer.from('\r\n0\r\n\r\n')])
  },
  /** `?after_ms=1`: the whole body, and then another whole response that nobody has asked for. The connection stays. */
  'second-response': ({ query }, _count, size) => ({
    headers: { 'Content-Length': size },
    body: withSecondResponse(Number(size), Number(query.get('after_ms') ?? 0)),
  }),
}

const MANY_HEADERS = Array.from({ length: 300 }, (_, n) => `X-Header-${n}: ${n}\r\n`).join('')

function withHeaders(headersFor: (size: string) => string): Route {
  return (_request, _count, size) => raw(headersFor(size), [expectedBytes(Number(size))])
}

function raw(headers: string, body: readonly Uint8Array[]) {
  return { garbage: Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${headers}\r\n`), ...body]) }
}

async function* withSecondResponse(sizeBytes: number, afterMs: number): AsyncGenerator<Uint8Array> {
  yield expectedBytes(sizeBytes)
  if (afterMs > 0) await Bun.sleep(afterMs)
  const foreign = 'Foreign'.repeat(sizeBytes).slice(0, sizeBytes)
  yield Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${sizeBytes}\r\n\r\n${foreign}`)
}
