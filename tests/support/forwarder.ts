import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** An address that stays the same while the service behind it is stopped and started again. */
export interface Forwarder extends Disposable {
  readonly origin: string
}

/** @param targetOrigin where connections are forwarded to; null while there is no service: then they are closed at once */
export async function openForwarder(targetOrigin: () => string | null): Promise<Forwarder> {
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const target = URL.parse(targetOrigin() ?? '')
    if (target === null) return void client.destroy()
    const service = connect(Number(target.port), target.hostname)
    for (const [socket, other] of [
      [client, service],
      [service, client],
    ] as const) {
      open.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the forwarder has no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    [Symbol.dispose]() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
