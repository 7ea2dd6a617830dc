import { Elysia } from 'elysia'
import { ServiceError } from '../errors.ts'
import type { ApiKeys, Caller } from '../keys/api-keys.ts'
import { uuidParams } from './request-schemas.ts'
import type { TokenBuckets } from './token-buckets.ts'

/** What makes the routes of a resource need an API key: `.use(guard)`. */
export type Guard = ReturnType<typeof authenticate>

/**
 * Makes the routes of a resource need an API key (specification, section 5) and gives them its `caller`. The key
 * is looked at before the body is read: strangers are not to make the service hold 48 MiB. Every request counts
 * against the key's `requests` (null: no limit), and its response says how many may follow.
 */
export function authenticate(apiKeys: ApiKeys, requests: TokenBuckets | null) {
  /** Both hooks of a request with a body ask; it counts once. */
  const callers = new WeakMap<Request, Caller>()

  function callerOf({ request, params, set }: Hook): Caller {
    const known = callers.get(request)
    if (known !== undefined) return known
    // An id that can't exist is unknown to everyone, with or without a key.
    if (hasId(params) && !uuidParams.safeParse(params).success) {
      throw new ServiceError('NOT_FOUND', 'There is nothing here.')
    }
    const [, key] = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '') ?? []
    const caller = key === undefined ? null : apiKeys.authenticate(key)
    if (caller === null) {
      throw new ServiceError('UNAUTHORIZED', 'A valid API key is needed: Authorization: Bearer <API key>.')
    }
    if (requests !== null) count(requests, caller.keyId, set.headers)
    callers.set(request, caller)
    return caller
  }

  return new Elysia()
    .onParse({ as: 'scoped' }, (context) => {
      callerOf(context)
    })
    .derive({ as: 'scoped' }, (context) => ({ caller: callerOf(context) }))
}

interface Hook {
  readonly request: Request
  readonly params: unknown
  readonly set: { readonly headers: Record<string, string | number> }
}

/** Header fields of draft-ietf-httpapi-ratelimit-headers-10; throws `RATE_LIMITED` when nothing is left. */
function count(requests: TokenBuckets, keyId: string, headers: Hook['set']['headers']): void {
  const { allowed, remaining, retryAfterSeconds, fullAfterSeconds } = requests.take(keyId)
  headers['ratelimit-policy'] = `"key";q=${requests.perMinute};w=60`
  headers.ratelimit = `"key";r=${remaining};t=${fullAfterSeconds}`
  if (allowed) return
  headers['retry-after'] = retryAfterSeconds
  const message = `An API key may make ${requests.perMinute} requests a minute. Try again in ${retryAfterSeconds} s.`
  throw new ServiceError('RATE_LIMITED', message)
}

function hasId(params: unknown): params is { id: unknown } {
  return typeof params === 'object' && params !== null && 'id' in params
}
