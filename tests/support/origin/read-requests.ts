import type { Socket } from 'node:net'

export interface OriginRequest {
  readonly method: string
  /** The path and query as they were received. */
  readonly target: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
}

/**
 * Calls `onRequest` for each request of a connection. No request has a body, because Holdall sends only GET and HEAD to
 * sources.
 */
export function readRequests(socket: Socket, onRequest: (request: OriginRequest) => void): void {
  let received = ''
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1')
    for (let end = received.indexOf(HEAD_END); end >= 0; end = received.indexOf(HEAD_END)) {
      const head = received.slice(0, end)
      received = received.slice(end + HEAD_END.length)
      onRequest(requestOf(head))
    }
  })
}

const HEAD_END = '\r\n\r\n'

function requestOf(head: string): OriginRequest {
  const [requestLine = '', ...lines] = head.split('\r\n')
  const [method = '', target = ''] = requestLine.split(' ')
  const headers = new Headers()
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const { pathname, searchParams } = new URL(target, 'http://origin')
  return { method, target, path: pathname, query: searchParams, headers }
}
