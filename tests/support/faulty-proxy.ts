import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { listen } from './tcp-server.ts'

/** What goes wrong with one request to a server. */
export type ProxyFault =
  /** The server does not get the request, and the client gets this status. */
  | { readonly kind: 'refuse'; readonly status: number }
  /** The connection breaks before the server gets the request. */
  | { readonly kind: 'break' }
  /** The server does what was asked, and the client gets this status. */
  | { readonly kind: 'lose-response'; readonly status: number }
  /** The server does what was asked, and the connection breaks before the response, or in the middle of its body. */
  | { readonly kind: 'cut-response' }
  /** The connection breaks in the middle of the body of the request. */
  | { readonly kind: 'cut-request' }
  /** Nothing happens for so long; then the connection breaks. */
  | { readonly kind: 'stall'; readonly stallMs: number }
  /** One byte of the body of the response is another one. */
  | { readonly kind: 'change-byte' }
  /** The client gets a success, and the server does not get the request. */
  | { readonly kind: 'pretend' }

export interface FaultyProxy extends Disposable {
  readonly origin: string
  /** From now on, each request gets the fault that this returns, or none. */
  inject(choose: ((request: { method: string; url: string }) => ProxyFault | null) | null): void
  /** How often each kind of fault has occurred. */
  readonly faults: ReadonlyMap<ProxyFault['kind'], number>
  requestCount(): number
}

/** A reverse proxy that injects faults. It passes `Host` on, so that signatures stay valid. */
export async function openFaultyProxy(host: string): Promise<FaultyProxy> {
  const [hostname, port] = host.split(':')
  const faults = new Map<ProxyFault['kind'], number>()
  let choose: ((request: { method: string; url: string }) => ProxyFault | null) | null = null
  let requestCount = 0

  function pass(client: IncomingMessage, response: ServerResponse, fault: ProxyFault | null): void {
    const options = { hostname, port, method: client.method, path: client.url, agent: false as const }
    let hasReply = false
    const toServer = request({ ...options, headers: client.headers, setHost: false }, (reply) => {
      hasReply = true
      if (fault?.kind === 'lose-response') {
        reply.resume()
        reply.on('end', () => respond(response, fault.status))
        return
      }
      const body: Buffer[] = []
      reply.on('data', (piece: Buffer) => body.push(piece))
      reply.on('error', () => breakOff(response))
      reply.on('end', () => sendBody(response, reply, Buffer.concat(body), fault))
    })
    // Swift sends a body after its response to HEAD, which is an error after the reply.
    toServer.on('error', () => {
      if (!hasReply) breakOff(response)
    })
    client.on('error', () => toServer.destroy())
    client.on('close', () => {
      if (!client.complete) toServer.destroy()
    })
    client.pipe(toServer)
  }

  const server = createServer((client, response) => {
    requestCount += 1
    const fault = choose?.({ method: client.method ?? '', url: client.url ?? '' }) ?? null
    if (fault !== null) faults.set(fault.kind, (faults.get(fault.kind) ?? 0) + 1)
    response.on('error', () => {})
    switch (fault?.kind) {
      case 'break':
        return void breakOff(response)
      case 'cut-request':
        client.once('data', () => breakOff(response))
        client.once('end', () => breakOff(response))
        return
      case 'stall': {
        const timer = setTimeout(() => breakOff(response), fault.stallMs)
        response.on('close', () => clearTimeout(timer))
        return
      }
      case 'refuse':
      case 'pretend':
        client.resume()
        client.on('end', () => respond(response, fault.kind === 'refuse' ? fault.status : 200))
        return
      default:
        pass(client, response, fault)
    }
  })
  const listening = await listen(server)
  return {
    origin: `http://127.0.0.1:${listening}`,
    inject(next) {
      choose = next
    },
    faults,
    requestCount: () => requestCount,
    [Symbol.dispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Bun answers an empty 200 when a request or a response is destroyed later than in its handler. */
function breakOff(response: ServerResponse): void {
  response.socket?.destroy()
}

function respond(response: ServerResponse, status: number): void {
  const body =
    status < 400 ? '' : `<Error><Code>${status === 503 ? 'SlowDown' : 'InternalError'}</Code></Error>`
  response.writeHead(status, { 'content-length': body.length, etag: '"pretended"' }).end(body)
}

function sendBody(
  response: ServerResponse,
  reply: IncomingMessage,
  body: Buffer,
  fault: ProxyFault | null,
): void {
  const { 'transfer-encoding': _chunked, connection: _connection, ...headers } = reply.headers
  const length = headers['content-length'] ?? `${body.length}`
  response.writeHead(reply.statusCode ?? 502, { ...headers, 'content-length': length })
  if (fault?.kind === 'cut-response') {
    const half = body.subarray(0, body.length / 2)
    return void response.write(half, () => breakOff(response))
  }
  const middle = Math.floor(body.length / 2)
  if (fault?.kind === 'change-byte' && body.length > 0) body[middle] = (body[middle] ?? 0) ^ 1
  response.end(body)
}
