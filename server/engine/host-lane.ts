import type { Verdict } from '../fetching/connection-pool.ts'
import { FetchFailure } from '../fetching/fetch-failure.ts'
import { type ConnectionDesk, ConnectionTaken, type Lease } from './connection-desk.ts'

/** The one connection that an attempt holds at a time, while redirects lead it from host to host. */
export interface HostLane {
  /**
   * Waits for a connection to the host (`name:port`), giving back the one to the host before. The signal ends what is
   * done on it.
   */
  enter(host: string): Promise<AbortSignal>
  /** Says that a large body is coming: the host is asked for few of those at once. */
  largeBody(): void
}

/**
 * Runs an attempt on a lane of its own and lets the pool know how the host behaved. An attempt whose connection goes to
 * another user is none of the source's: it begins again as soon as there is another.
 */
export async function onHostLane(
  desk: ConnectionDesk,
  attempt: (lane: HostLane) => Promise<void>,
): Promise<void> {
  for (;;) {
    try {
      await onOneLane(desk, attempt)
      return
    } catch (error) {
      if (!(error instanceof ConnectionTaken)) throw error
    }
  }
}

async function onOneLane(desk: ConnectionDesk, attempt: (lane: HostLane) => Promise<void>): Promise<void> {
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
      if (lease?.host !== host) {
        leave('well')
        lease = await desk.lease(host)
      }
      return lease.signal
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
