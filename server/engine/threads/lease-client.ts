import type { LeaseUse } from '../connections/lease.ts'
import type { ConnectionClient, ConnectionPool } from '../connections/pool.ts'
import type { LeaseChange, ToRun } from './messages.ts'

/** A job in a worker thread, as the connection pool knows it. Disposing of it returns all its connections to the pool. */
export interface LeaseClient extends ConnectionClient, Disposable {
  /** Requests and releases connections for the job, in order. */
  apply(changes: readonly LeaseChange[]): void
}

/**
 * Runs in the main thread, for one job: connects the `LeaseQueue` in the job's thread to the pool.
 *
 * Posts all grants of one turn of the event loop in one message. A job of thousands of URLs gets thousands of grants, and
 * each message takes 20 µs of the main thread.
 */
export function openLeaseClient(
  pool: ConnectionPool,
  { group, thread }: Pick<ConnectionClient, 'group' | 'thread'>,
  send: (message: ToRun) => void,
): LeaseClient {
  let granted = noGrants()
  let isSending = false

  function sendGranted(): void {
    isSending = false
    for (const use of ['source', 'segment'] as const)
      if (granted[use].length > 0) send({ type: 'leasesGranted', use, hosts: granted[use] })
    granted = noGrants()
  }

  const client: LeaseClient = {
    group,
    thread,
    granted(host, use) {
      granted[use].push(host)
      if (!isSending) setImmediate(sendGranted)
      isSending = true
    },
    revoked(host, onlySegment) {
      // The grants first, since the revoked connection may be one that was just granted.
      sendGranted()
      send({ type: 'leaseRevoked', host, onlySegment })
    },
    apply(changes) {
      for (const change of changes) {
        if (change.kind === 'request') pool.request(client, change.host, change.use)
        else if (change.kind === 'release') pool.release(client, change.host, change.verdict, change.use)
        else pool.raise(change.host, change.connections)
      }
    },
    [Symbol.dispose]() {
      pool.leave(client)
      granted = noGrants()
    },
  }
  return client
}

function noGrants(): Record<LeaseUse, string[]> {
  return { source: [], segment: [] }
}
