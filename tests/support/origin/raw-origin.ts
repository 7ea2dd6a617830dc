import type { Socket } from 'node:net'
import { startTcpServer, type TcpServer } from '../tcp-server.ts'

export interface RawOrigin extends TcpServer {
  /** How many connections were made. */
  connectionCount(): number
}

/**
 * A source that answers each request by a function. @param answer gets the target of the request, and how many requests came before
 * on this connection
 */
export async function startRawOrigin(
  answer: (socket: Socket, target: string, index: number) => void | Promise<void>,
): Promise<RawOrigin> {
  let connectionCount = 0
  const server = await startTcpServer((socket) => {
    connectionCount++
    socket.setNoDelay(true)
    let received = ''
    let index = 0
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1')
      for (let end = received.indexOf('\r\n\r\n'); end >= 0; end = received.indexOf('\r\n\r\n')) {
        const target = received.split(' ')[1] ?? ''
        received = received.slice(end + 4)
        void answer(socket, target, index++)
      }
    })
  })
  return { ...server, connectionCount: () => connectionCount }
}

/** A response with a length. */
export function whole(body: string, headers = ''): string {
  return `HTTP/1.1 200 OK\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`
}

/** Sends each byte by itself, so that each is read by itself. */
export async function sendByteByByte(socket: Socket, text: string): Promise<void> {
  for (const byte of Buffer.from(text, 'latin1')) {
    socket.write(Uint8Array.of(byte))
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  }
}
