import type { Verdict } from '../fetching/connection-pool.ts'
import { FetchFailure } from '../fetching/fetch-failure.ts'
import type { ConnectionDesk, Lease } from './connection-desk.ts'

/** The one connection that an attempt holds at a time, while redirects lead it from host to host. */
export interface HostLane {
  /** Waits for a connection to the host (`name:port`), giving back the one to the host before. */
  enter(host: string): Promise<void>
  /** Says that a large body is coming: the host is asked for few of those at once. */
  largeBody(): void
}

/** Runs an attempt on a lane of its own and lets the pool know how the host behaved. */
export async function onHostLane(
  desk: ConnectionDesk,
  attempt: (lane: HostLane) => Promise<void>,
): Promise<void> {
  let lease: Lease | null = null
  let endLargeBody: (() => void) | null = null
  const leave = (verdict: Verdict) => {
    endLargeBody?.()
    endLargeBody = null
    lease?.release(verdict)
    lease = null
  }
  const lane: HostLane = {
    async enter(host) {
      if (lease?.host === host) return
      leave('well')
      lease = await desk.lease(host)
    },
    largeBody() {
      if (lease !== null) endLargeBody ??= desk.largeBody(lease.host)
    },
  }
  try {
    await attempt(lane)
    leave('well')
  } catch (error) {
    leave(error instanceof FetchFailure ? verdictOf(error) : 'neutral')
    throw error
  }
}

function verdictOf(failure: FetchFailure): Verdict {
  if (STRAIN.has(failure.text)) return 'strained'
  return failure.text.startsWith('HTTP ') ? 'well' : 'neutral'
}

const STRAIN: ReadonlySet<string> = new Set([
  'HTTP 429',
  'HTTP 503',
  'Connection failed',
  'Connection closed early',
])
