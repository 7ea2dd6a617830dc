import { readFileSync, statSync } from 'node:fs'
import type { IpAddress } from '../fetching/ip-address.ts'
import { type ClientSocket, type ClientSockets, openClientSockets } from './client-sockets.ts'
import { rateLimitKey } from './trusted-proxies.ts'

/** A listening server, whose clients must leave file descriptors for the rest of the service. */
export interface ServerWithClients {
  readonly port?: number | undefined
  closeIdleConnections(): number
}

/** How often descriptors are counted, which costs one system call. Clients can occupy all of them for this long. */
const LOOK_INTERVAL_MS = 250
/** Reserved for connections to sources, archives, spool files and the database; half of the limit where that is less. */
const RESERVED_DESCRIPTORS = 256
/** Where the system allows more descriptors than anyone needs: idle connections take some kilobytes each. */
const MAX_CLIENTS = 16_384
/** Connections per address: an office behind one address has room. At most half of what all clients may have. */
const MAX_CLIENTS_PER_ADDRESS = 1_024

/**
 * Keeps descriptors free for the rest of the service and for clients of other addresses, until disposed of. When all
 * clients or those of one address have too many connections, it closes the ones that are idle between two requests and
 * those that never sent a whole request. If one address still has too many, those that received the least are closed.
 * Downloads, event streams and requests in progress continue otherwise. Only on Linux: elsewhere, idle connections end by their
 * timeouts.
 * @param mayHaveMany whether the address is that of a proxy, whose connections are those of many clients
 */
export function keepDescriptorsFree(
  server: ServerWithClients,
  mayHaveMany: (address: IpAddress) => boolean,
): Disposable {
  const limit = descriptorLimit()
  const { port } = server
  if (limit === null || port === undefined) return { [Symbol.dispose]: () => {} }
  const most = limit - Math.min(RESERVED_DESCRIPTORS, Math.floor(limit / 2))
  const mostClients = Math.min(most, MAX_CLIENTS)
  const mostPerAddress = Math.min(MAX_CLIENTS_PER_ADDRESS, Math.floor(mostClients / 2))
  const sockets = openClientSockets(port, limit)

  function crowds(clients: readonly ClientSocket[]): ClientSocket[][] {
    const byAddress = Map.groupBy(clients, ({ address }) => rateLimitKey(address))
    return [...byAddress.values()].filter(([client, ...others]) => {
      return client !== undefined && others.length >= mostPerAddress && !mayHaveMany(client.address)
    })
  }

  function look(): void {
    const open = openDescriptors()
    if (open <= mostPerAddress) return
    const clients = sockets?.list(open) ?? []
    const isShort = open > most || clients.length > mostClients
    if (!isShort && crowds(clients).length === 0) return
    server.closeIdleConnections()
    if (sockets === null) return
    const busy = sockets.list(open)
    // Bun calls a connection idle only after its first response.
    if (isShort) for (const client of busy) if (sockets.isSilent(client)) sockets.shutDown(client)
    for (const crowd of crowds(busy)) closeSurplus(sockets, crowd, mostPerAddress)
  }

  const timer = setInterval(look, LOOK_INTERVAL_MS)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** Closes connections of one address: those that ask for nothing, then those that have received the least. */
function closeSurplus(sockets: ClientSockets, clients: readonly ClientSocket[], most: number): void {
  const { silent = [], other = [] } = Object.groupBy(clients, (client) =>
    sockets.isSilent(client) || sockets.hasSentNothing(client) ? 'silent' : 'other',
  )
  const received = new Map(other.map((client) => [client, sockets.receivedBytes(client)]))
  const leastFirst = other.toSorted((a, b) => (received.get(a) ?? 0) - (received.get(b) ?? 0))
  const surplus = Math.max(0, other.length - most)
  for (const client of [...silent, ...leastFirst.slice(0, surplus)]) sockets.shutDown(client)
}

/** Null where the system does not count descriptors as Linux does from 6.2 on (proc(5)). */
function descriptorLimit(): number | null {
  if (process.platform !== 'linux' || openDescriptors() === 0) return null
  const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
  return soft === undefined ? null : Number(soft)
}

/** Opens no descriptor itself. */
function openDescriptors(): number {
  return statSync('/proc/self/fd').size
}
