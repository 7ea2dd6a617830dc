import { ServiceError } from '../../errors.ts'
import type { Clock } from '../../time/clock.ts'
import { errorResponse } from '../error-responses.ts'
import { openTokenBuckets } from './token-buckets.ts'
import type { TrustedProxies } from './trusted-proxies.ts'

/**
 * The responses for errors. After too many wrong keys or tokens from one address, the next one gets RATE_LIMITED instead of its own
 * error.
 * @param peerAddress the address at the other end of the connection
 */
export function openGuessLimit(proxies: Pick<TrustedProxies, 'clientKeyOf'>, clock: Clock) {
  const wrongCredentials = openTokenBuckets(WRONG_CREDENTIALS_PER_MINUTE, clock)
  return (error: ServiceError, request: Request, peerAddress: string): Response => {
    if (error.code !== 'UNAUTHORIZED' && error.code !== 'INVALID_TOKEN') return errorResponse(error)
    const { allowed, retryAfterSeconds } = wrongCredentials.take(proxies.clientKeyOf(request, peerAddress))
    if (allowed) return errorResponse(error)
    const message = `Too many wrong keys or tokens came from this address. Try again in ${retryAfterSeconds} s.`
    return errorResponse(new ServiceError('RATE_LIMITED', message), { 'retry-after': `${retryAfterSeconds}` })
  }
}

/** Wrong keys and tokens per minute from one client address. */
const WRONG_CREDENTIALS_PER_MINUTE = 300
