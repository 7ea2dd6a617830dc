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
  group: string,
  send: (message: ToRun) => void,
): LeaseClient {
  let grantedHosts: string[] = []

  function sendGranted(): void {
    if (grantedHosts.length > 0) send({ type: 'leasesGranted', hosts: grantedHosts })
    grantedHosts = []
  }

  const client: LeaseClient = {
    group,
    granted(host) {
      if (grantedHosts.push(host) === 1) setImmediate(sendGranted)
    },
    revoked(host) {
      // The grants first, since the revoked connection may be one that was just granted.
      sendGranted()
      send({ type: 'leaseRevoked', host })
    },
    apply(changes) {
      for (const { host, verdict } of changes) {
        if (verdict === null) pool.request(client, host)
        else pool.release(client, host, verdict)
      }
    },
    [Symbol.dispose]() {
      pool.leave(client)
      grantedHosts = []
    },
  }
  return client
}
