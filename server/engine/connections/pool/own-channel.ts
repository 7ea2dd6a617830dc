import type { OpenLeaseChannel } from '../lease.ts'
import type { ConnectionClient, ConnectionPool } from './connection-pool.ts'

/** Connects a job to the pool of its own thread: for a program of one thread, such as `holdall zip`. */
export function ownChannel(
  pool: ConnectionPool,
  { group, thread }: Pick<ConnectionClient, 'group' | 'thread'>,
): OpenLeaseChannel {
  return ({ granted, revoked }) => {
    const client: ConnectionClient = { group, thread, granted, revoked }
    return {
      request: (host, use) => pool.request(client, host, use),
      release: (leaseId, verdict) => pool.release(client, leaseId, verdict),
      raise: (host, connections) => pool.raise(host, connections),
    }
  }
}
