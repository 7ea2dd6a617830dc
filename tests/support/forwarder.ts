import { connect, createServer, type Socket } from 'node:net'
import { listen } from './tcp-server.ts'

/** An address that stays the same when the service behind it restarts at another port. */
export interface Forwarder extends Disposable {
  readonly origin: string
  /** How many connections clients have opened so far. */
  connectionCount(): number
  /** How many bytes clients have sent so far. */
  sentBytes(): number
  /** How many bytes clients have received so far. */
  receivedBytes(): number
  /** Breaks all open connections. */
  breakAll(): void
}

/**
 * @param targetOrigin the current address of the service; null if there is none, so that connections are closed at once
 */
export async function openForwarder(targetOrigin: () => string | null): Promise<Forwarder> {
  const open = new Set<Socket>()
  let connectionCount = 0
  let sentBytes = 0
  let receivedBytes = 0
  const breakAll = () => {
    for (const socket of open) socket.destroy()
  }
  const server = createServer((client) => {
    connectionCount++
    const target = URL.parse(targetOrigin() ?? '')
    if (target === null) return void client.destroy()
    client.on('data', (bytes) => {
      sentBytes += bytes.length
    })
    const service = connect(Number(target.port), target.hostname)
    service.on('data', (bytes) => {
      receivedBytes += bytes.length
    })
    for (const [socket, other] of [
      [client, service],
      [service, client],
    ] as const) {
      open.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        open.delete(socket)
        // What has come before is still on its way.
        other.destroySoon()
      })
      socket.pipe(other)
    }
  })
  const port = await listen(server)
  return {
    origin: `http://127.0.0.1:${port}`,
    connectionCount: () => connectionCount,
    sentBytes: () => sentBytes,
    receivedBytes: () => receivedBytes,
    breakAll,
    [Symbol.dispose]() {
      server.close()
      breakAll()
    },
  }
}
