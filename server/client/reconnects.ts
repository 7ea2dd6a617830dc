import { HoldallError } from './holdall-error.ts'

/** Decides whether and when to connect again after a connection has failed. */
export interface Reconnects {
  /** Waits before the next attempt. Throws the error instead if another attempt is useless, or after too many in a row. */
  waitAfter(error: unknown): Promise<void>
  /** Data has arrived: failures are counted from 0 again. */
  succeeded(): void
}

export interface ReconnectTimes {
  /** The first delay. Each failure in a row doubles it, up to the maximum. */
  readonly minDelayMs: number
  readonly maxDelayMs: number
  readonly maxFailures: number
}

/** About two minutes: a service that restarts or is updated takes less. */
export const RECONNECT_TIMES: ReconnectTimes = { minDelayMs: 500, maxDelayMs: 5_000, maxFailures: 27 }

export function openReconnects(signal: AbortSignal | undefined, times: ReconnectTimes): Reconnects {
  let failures = 0
  return {
    async waitAfter(error) {
      signal?.throwIfAborted()
      failures++
      if (failures > times.maxFailures || !isTemporary(error)) throw error
      const backoffMs = Math.min(times.minDelayMs * 2 ** (failures - 1), times.maxDelayMs)
      await delay(Math.max(backoffMs, 1000 * (error.retryAfterSeconds ?? 0)), signal)
    },
    succeeded() {
      failures = 0
    },
  }
}

function isTemporary(error: unknown): error is HoldallError {
  if (!(error instanceof HoldallError)) return false
  if (error.code === 'UNREADABLE') return GATEWAY_FAILURES.includes(error.status ?? 0)
  return TEMPORARY.includes(error.code)
}

const TEMPORARY: readonly string[] = ['UNREACHABLE', 'UNAVAILABLE', 'RATE_LIMITED']
/** What a reverse proxy responds while it can't reach the service. */
const GATEWAY_FAILURES = [502, 503, 504]

function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}
