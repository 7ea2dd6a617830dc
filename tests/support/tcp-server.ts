import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'

export interface TcpServer extends AsyncDisposable {
  /** `127.0.0.1:PORT` */
  readonly host: string
}

/**
 * Starts a server that calls `handle` for each connection, so that a test can send any bytes at any time.
 * @param address `0.0.0.0` listens at all loopback addresses
 */
export async function startTcpServer(
  handle: (socket: Socket) => void,
  address: '127.0.0.1' | '0.0.0.0' = '127.0.0.1',
): Promise<TcpServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    handle(socket)
  })
  return {
    host: `127.0.0.1:${await listen(server, address)}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Lets a server listen. @returns the port, which the system chooses by default */
export async function listen(server: Server, address = '127.0.0.1', port = 0): Promise<number> {
  server.listen(port, address)
  await once(server, 'listening')
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('the server has no port')
  return bound.port
}
