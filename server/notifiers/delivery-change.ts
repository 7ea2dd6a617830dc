import type { DeliveryStatus, MessageType } from '../vocabulary.ts'

/** What came of one attempt: the status of the response, or why the attempt has failed. */
export type AttemptResult =
  | { readonly responseStatus: number; readonly error: null }
  | { readonly responseStatus: number | null; readonly error: string; readonly isGone?: boolean }

/** How an attempt changes its delivery. */
export interface DeliveryChange {
  readonly status: DeliveryStatus
  readonly responseStatus: number | null
  readonly error: string | null
  /** Null unless another attempt follows. */
  readonly nextAttemptAt: number | null
  /** Whether the receiver has refused for good, as with 410: it will never accept messages again. */
  readonly isGone: boolean
}

/**
 * Decides how an attempt changes its delivery. 2xx is delivered. 410, or a mail server that refuses the address for good, ends
 * the delivery and disables the notifier. Anything else, redirects included, is followed by the next attempt, until all have
 * failed. A `ping` is attempted once: its sender waits for the result.
 * @param delivery its type, and its attempts before this one
 * @param random returns 0 to 1: spreads the next attempts of many deliveries that failed at the same time
 */
export function deliveryChangeAfter(
  result: AttemptResult,
  delivery: { readonly type: MessageType; readonly attempts: number },
  now: number,
  random: () => number,
): DeliveryChange {
  const { responseStatus, error } = result
  if (error === null && responseStatus >= 200 && responseStatus < 300)
    return { status: 'delivered', responseStatus, error: null, nextAttemptAt: null, isGone: false }
  const isGone = error === null ? responseStatus === 410 : (result.isGone ?? false)
  const isLast = isGone || delivery.type === 'ping'
  const nextAttemptAt = isLast ? null : retryAt(delivery.attempts, now, random())
  return {
    status: nextAttemptAt === null ? 'failed' : 'pending',
    responseStatus,
    error: error ?? `HTTP ${responseStatus}`,
    nextAttemptAt,
    isGone,
  }
}

/** The time of the retry after `attempts` earlier attempts and the one that has just failed; null after the last. */
function retryAt(attempts: number, now: number, random: number): number | null {
  const delayMs = RETRY_DELAYS_MS[attempts]
  return delayMs === undefined ? null : now + Math.round(delayMs * (1 - JITTER + 2 * JITTER * random))
}

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** A restart of the receiver delays a message by seconds. An outage of a day loses none. */
const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
]

/** Each delay is shorter or longer by up to this share. */
const JITTER = 0.1
