import type { Socket } from 'node:net'

export interface OriginRequest {
  readonly method: string
  /** The path and query as they were received. */
  readonly target: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  /** Empty but for the form that a person submits: Holdall sends only GET and HEAD to sources. */
  readonly body: string
}

/** Calls `onRequest` for each request of a connection. */
export function readRequests(socket: Socket, onRequest: (request: OriginRequest) => void): void {
  let received = ''
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1')
    for (let end = received.indexOf(HEAD_END); end >= 0; end = received.indexOf(HEAD_END)) {
      const head = received.slice(0, end)
      const bodyStart = end + HEAD_END.length
      const bodyEnd = bodyStart + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
      if (received.length < bodyEnd) return
      const body = received.slice(bodyStart, bodyEnd)
      received = received.slice(bodyEnd)
      onRequest(requestOf(head, body))
    }
  })
}

const HEAD_END = '\r\n\r\n'

function requestOf(head: string, body: string): OriginRequest {
  const [requestLine = '', ...lines] = head.split('\r\n')
  const [method = '', target = ''] = requestLine.split(' ')
  const headers = new Headers()
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const { pathname, searchParams } = new URL(target, 'http://origin')
  return { method, target, path: pathname, query: searchParams, headers, body }
}
