import type { GrantedConnection } from '../connections/lease.ts'
import type { ConnectionClient, ConnectionPool } from '../connections/pool/connection-pool.ts'
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
  let granted: GrantedConnection[] = []
  let isSending = false

  function sendGranted(): void {
    isSending = false
    if (granted.length > 0) send({ type: 'leasesGranted', grants: granted })
    granted = []
  }

  const client: LeaseClient = {
    group,
    thread,
    granted(grant) {
      granted.push(grant)
      if (!isSending) setImmediate(sendGranted)
      isSending = true
    },
    revoked(grant) {
      // The grants first, since the revoked connection may be one that was just granted.
      sendGranted()
      send({ type: 'leaseRevoked', grant })
    },
    apply(changes) {
      for (const change of changes) {
        if (change.kind === 'request') pool.request(client, change.host, change.use)
        else if (change.kind === 'release') pool.release(client, change.leaseId, change.verdict)
        else pool.raise(change.host, change.connections)
      }
    },
    [Symbol.dispose]() {
      pool.leave(client)
      granted = []
    },
  }
  return client
}
