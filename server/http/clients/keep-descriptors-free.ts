// server/decisions/clients.md says why idle clients are disconnected.

import type { IpAddress } from '../../fetching/addresses/ip.ts'
import { descriptorLimit, openDescriptors } from '../../files/descriptors.ts'
import type { SocketLibrary } from './client-sockets.ts'
import { type ClientSocket, type ClientSockets, openClientSockets } from './client-sockets.ts'
import { clientKey } from './trusted-proxies.ts'

/** A listening server, whose clients must leave file descriptors for the rest of the service. */
export interface ServerWithClients {
  readonly port?: number | undefined
  closeIdleConnections(): number
}

/**
 * Keeps descriptors free for the rest of the service and for clients of other addresses, until disposed of. When all
 * clients together, or the clients of one address, have too many connections, it closes connections that are idle between two
 * requests and connections that never sent a whole request. If one address still has too many, it closes those that received
 * the least. Other downloads, event streams and requests in progress continue. Works only on Linux: elsewhere, idle connections
 * end by their timeouts.
 * @param library null where there is none: then only idle connections are closed
 * @param isExempt whether the address belongs to a proxy, which has the connections of many clients
 * @param onCrowd is told when an address begins to have too many connections, which may be a proxy that was not named
 */
export function keepDescriptorsFree(
  server: ServerWithClients,
  library: SocketLibrary | null,
  isExempt: (address: IpAddress) => boolean,
  onCrowd: (connections: number, most: number) => void,
): Disposable {
  const limit = descriptorLimit
  const { port } = server
  if (limit === null || port === undefined) return { [Symbol.dispose]: () => {} }
  const most = limit - Math.min(RESERVED_DESCRIPTORS, Math.floor(limit / 2))
  const mostClients = Math.min(most, MAX_CLIENTS)
  const mostPerAddress = Math.min(MAX_CLIENTS_PER_ADDRESS, Math.floor(mostClients / 2))
  const sockets = library && openClientSockets(library, port)

  /** The clients of each address that has too many connections. */
  function crowds(clients: readonly ClientSocket[]): ClientSocket[][] {
    const byAddress = Map.groupBy(clients, ({ address }) => clientKey(address))
    return [...byAddress.values()].filter(([client, ...others]) => {
      return client !== undefined && others.length >= mostPerAddress && !isExempt(client.address)
    })
  }

  let isCrowded = false

  function tell([crowd]: readonly ClientSocket[][]): void {
    if (crowd !== undefined && !isCrowded) onCrowd(crowd.length, mostPerAddress)
    isCrowded = crowd !== undefined
  }

  /** @returns whether there were too many connections */
  function check(): boolean {
    const open = openDescriptors()
    if (open <= mostPerAddress) {
      tell([])
      return false
    }
    const clients = sockets?.list(open) ?? []
    const isShort = open > most || clients.length > mostClients
    const crowded = crowds(clients)
    tell(crowded)
    if (!isShort && crowded.length === 0) return false
    server.closeIdleConnections()
    if (sockets === null) return true
    const busy = sockets.list(open)
    // Bun calls a connection idle only after its first response.
    if (isShort) for (const client of busy) if (sockets.isSilent(client)) sockets.shutDown(client)
    for (const crowd of crowds(busy)) closeSurplus(sockets, crowd, mostPerAddress)
    return true
  }

  function checkAgain(): void {
    const startMs = performance.now()
    const intervalMs = check() ? CROWDED_CHECK_INTERVAL_MS : CHECK_INTERVAL_MS
    const tookMs = performance.now() - startMs
    timer = setTimeout(checkAgain, Math.max(intervalMs, tookMs / MAX_CHECKING_SHARE))
  }

  let timer = setTimeout(checkAgain, CHECK_INTERVAL_MS)
  return { [Symbol.dispose]: () => clearTimeout(timer) }
}

/** Closes connections of one address: all silent ones, and then as many as necessary of those that received the least. */
function closeSurplus(sockets: ClientSockets, clients: readonly ClientSocket[], most: number): void {
  const { silent = [], other = [] } = Object.groupBy(clients, (client) =>
    sockets.isSilent(client) || sockets.hasSentNothing(client) ? 'silent' : 'other',
  )
  const measured = other.map((client) => ({ client, ...sockets.activity(client) }))
  // Of those that wait for their first response, the newest request is the last to go.
  measured.sort((a, b) => a.receivedBytes - b.receivedBytes || b.quietMs - a.quietMs)
  const surplus = Math.max(0, other.length - most)
  const least = measured.slice(0, surplus).map(({ client }) => client)
  for (const client of [...silent, ...least]) sockets.shutDown(client)
}

/**
 * How often descriptors are counted, which costs one system call. Clients can occupy all of them for this long, and Bun tries
 * to accept the next one again and again meanwhile, which keeps a whole processor busy.
 */
const CHECK_INTERVAL_MS = 100
/** While there are too many connections, because each place that becomes free goes to one that waits to be accepted. */
const CROWDED_CHECK_INTERVAL_MS = 25
/** The most of a processor that checking may use: a check looks at each connection, and there may be many thousands. */
const MAX_CHECKING_SHARE = 0.1
/** Reserved for connections to sources, archives, spool files and the database. At most half of the limit. */
const RESERVED_DESCRIPTORS = 256
/** Applies where the system allows even more descriptors: each idle connection takes some kilobytes. */
const MAX_CLIENTS = 16_384
/** Connections per address: enough for an office behind one address. At most half of what all clients may have. */
const MAX_CLIENTS_PER_ADDRESS = 1_024
