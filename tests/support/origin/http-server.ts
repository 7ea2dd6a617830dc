import { createServer, type Socket } from 'node:net'
import { listen } from '../tcp-server.ts'
import { type OriginRequest, readRequests } from './read-requests.ts'

/** A response, and how it ends. */
export interface Reply {
  readonly status?: number
  /** Values are sent as Latin-1, with one byte per character. */
  readonly headers?: Readonly<Record<string, string>>
  /** Headers that occur several times. */
  readonly repeatedHeaders?: readonly (readonly [name: string, value: string])[]
  readonly body?: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** `length`: Content-Length is in `headers`. `close`: the body ends with the connection. */
  readonly framing?: 'length' | 'chunked' | 'close'
  /**
   * After the body, `cut` closes the connection, `reset` resets it, and `stall` leaves it open without a proper end.
   */
  readonly ending?: 'whole' | 'cut' | 'reset' | 'stall'
  /** Bytes to send instead of an HTTP response. Then the connection is closed. */
  readonly garbage?: Uint8Array
}

export interface HttpServer extends AsyncDisposable {
  readonly port: number
  /** The number of bytes written to clients, including headers. */
  sentBytes(): number
  peakConcurrentRequests(): number
}

/**
 * Implements HTTP/1.1 directly over TCP, because a correct HTTP server does not let a test cut, stall, reset or
 * misframe a response. The system chooses the port by default.
 */
export async function startHttpServer(
  answer: (request: OriginRequest) => Promise<Reply>,
  address = '127.0.0.1',
  wantedPort = 0,
): Promise<HttpServer> {
  const sockets = new Set<Socket>()
  const counts = { sentBytes: 0, concurrent: 0, peak: 0 }
  const server = createServer({ noDelay: true, allowHalfOpen: false }, (socket) => {
    if (!socket.remoteAddress?.startsWith('127.')) return void socket.destroy()
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    let previous = Promise.resolve()
    readRequests(socket, (request) => {
      previous = previous.then(() => respond(socket, request))
    })
  })

  async function respond(socket: Socket, request: OriginRequest): Promise<void> {
    if (!socket.writable) return
    counts.concurrent += 1
    counts.peak = Math.max(counts.peak, counts.concurrent)
    try {
      await send(socket, request, await answer(request))
    } catch (error) {
      console.error(`The origin failed on ${request.target}:`, error)
      socket.destroy()
    } finally {
      counts.concurrent -= 1
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

  const port = await listen(server, address, wantedPort)
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
  const lines = [...Object.entries(headers), ...(reply.repeatedHeaders ?? [])].map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  if (framing === 'chunked') lines.push('Transfer-Encoding: chunked\r\n')
  if (framing === 'close') lines.push('Connection: close\r\n')
  return Buffer.from(`HTTP/1.1 ${reply.status ?? 200} Answer\r\n${lines.join('')}\r\n`, 'latin1')
}

/** RFC 9112, section 7.1. The last chunk is empty. */
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

/** Sends all buffered bytes first, because a reset discards them. */
async function reset(socket: Socket): Promise<void> {
  while (!socket.destroyed && socket.writableLength > 0) await drainOrClose(socket)
  socket.resetAndDestroy()
}
