import { LargeBodies } from './large-bodies.ts'
import type { Lease } from './lease.ts'

/** What a job knows of one host: who waits for a connection, and who has one. */
export interface HostQueue {
  readonly waiters: PromiseWithResolvers<Lease>[]
  /** Requests that the pool has not answered yet. */
  requested: number
  /** Leases that were granted and not yet released. */
  leases: number
  /** When the pool granted the first connection. */
  firstGrantedMs: number | null
  readonly largeBodies: LargeBodies
}

export function openHostQueue(): HostQueue {
  return { waiters: [], requested: 0, leases: 0, firstGrantedMs: null, largeBodies: new LargeBodies() }
}

/** Whether a job that has this many connections to the host may use another one. */
export function mayOpen({ largeBodies }: HostQueue, connections: number): boolean {
  return largeBodies.expectedAmong(connections + 1) <= LARGE_BODIES_PER_HOST
}

/** Four to eight large bodies at once use the whole bandwidth; more cost memory and processor time. */
const LARGE_BODIES_PER_HOST = 8
