import { createServer, type Socket } from 'node:net'
import { type OriginRequest, readRequests } from './read-requests.ts'

/** What a source answers, down to how it breaks off. */
export interface Reply {
  readonly status?: number
  /** Values are sent as Latin-1: a character a byte. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** `length`: the headers say it. `close`: the end of the connection is the end of the body. */
  readonly framing?: 'length' | 'chunked' | 'close'
  /** `cut` closes and `reset` resets without a proper end, `stall` never ends. */
  readonly ending?: 'whole' | 'cut' | 'reset' | 'stall'
  /** Bytes in place of an HTTP response; then the connection closes. */
  readonly garbage?: Uint8Array
}

export interface HttpServer extends AsyncDisposable {
  readonly port: number
  /** Bytes written to clients, heads and all. */
  sentBytes(): number
  peakConcurrentRequests(): number
}

/**
 * HTTP/1.1 by hand over TCP, at a port of the system's choice: a well-behaved server would not let a test cut,
 * stall, reset or misframe a response.
 */
export async function startHttpServer(
  answer: (request: OriginRequest) => Promise<Reply>,
  address = '127.0.0.1',
): Promise<HttpServer> {
  const sockets = new Set<Socket>()
  const counts = { sentBytes: 0, underWay: 0, peak: 0 }
  const server = createServer({ noDelay: true, allowHalfOpen: false }, (socket) => {
    if (!socket.remoteAddress?.startsWith('127.')) return void socket.destroy()
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    let before = Promise.resolve()
    readRequests(socket, (request) => {
      before = before.then(() => respond(socket, request))
    })
  })

  async function respond(socket: Socket, request: OriginRequest): Promise<void> {
    if (!socket.writable) return
    counts.underWay += 1
    counts.peak = Math.max(counts.peak, counts.underWay)
    try {
      await send(socket, request, await answer(request))
    } catch (error) {
      console.error(`The origin failed on ${request.target}:`, error)
      socket.destroy()
    } finally {
      counts.underWay -= 1
    }
  }

  async function send(socket: Socket, request: OriginRequest, reply: Reply): Promise<void> {
    const { framing = 'length', ending = 'whole', garbage } = reply
    const write = async (bytes: Uint8Array) => {
      if (socket.destroyed) return
      counts.sentBytes += bytes.length
      if (!socket.write(bytes)) await drainOrClose(socket)
    }
    await write(garbage ?? headOf(reply, framing))
    if (request.method !== 'HEAD') {
      for await (const part of reply.body ?? []) {
        if (socket.destroyed) return
        await write(framing === 'chunked' ? chunk(part) : part)
      }
      if (framing === 'chunked' && ending === 'whole') await write(chunk(new Uint8Array()))
    }
    if (ending === 'stall') await closed(socket)
    else if (ending === 'reset') await reset(socket)
    else if (ending === 'cut' || framing === 'close' || garbage !== undefined) socket.end()
  }

  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, address, () => {
      const bound = server.address()
      if (bound !== null && typeof bound === 'object') resolve(bound.port)
    })
  })
  return {
    port,
    sentBytes: () => counts.sentBytes,
    peakConcurrentRequests: () => counts.peak,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function headOf(reply: Reply, framing: string): Uint8Array {
  const headers = { Date: new Date().toUTCString(), ...reply.headers }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  if (framing === 'chunked') lines.push('Transfer-Encoding: chunked\r\n')
  if (framing === 'close') lines.push('Connection: close\r\n')
  return Buffer.from(`HTTP/1.1 ${reply.status ?? 200} Answer\r\n${lines.join('')}\r\n`, 'latin1')
}

/** RFC 9112 section 7.1; an empty one is the last. */
function chunk(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}

function drainOrClose(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done)
      resolve()
    }
    socket.on('drain', done).on('close', done)
  })
}

function closed(socket: Socket): Promise<void> {
  return socket.destroyed
    ? Promise.resolve()
    : new Promise((resolve) => socket.once('close', () => resolve()))
}

/** What was written has to leave before the reset, or the client would see nothing of it. */
async function reset(socket: Socket): Promise<void> {
  while (!socket.destroyed && socket.writableLength > 0) await drainOrClose(socket)
  socket.resetAndDestroy()
}
