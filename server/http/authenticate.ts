import { Elysia } from 'elysia'
import { isOwner } from '../accounts/user.ts'
import { ServiceError } from '../errors.ts'
import type { ApiKeys, Caller } from '../keys/api-keys.ts'
import type { TokenBuckets } from './clients/token-buckets.ts'
import { notFound } from './error-responses.ts'
import { uuidParams } from './schemas.ts'

/** A plugin that makes the routes of a resource require an API key: `.use(authentication)`. */
export type Authentication = ReturnType<typeof authenticate>

/** The ids of the users who have sent the requests with a key. */
export type Senders = WeakMap<Request, string>

/**
 * Requires an API key (specification, section 5) and passes its `caller` to the routes. It checks the key before the body is
 * read, so that a client without a key can't send 48 MiB. Each request takes a token from the key's bucket in `limitNow`
 * (null for no limit), and the response states how many requests remain. `FORBIDDEN` for others when only the owner may call.
 * Notes in `senders` whose request it is, before the body is read.
 */
export function authenticate(
  apiKeys: ApiKeys,
  limitNow: () => TokenBuckets | null,
  senders: Senders,
  who: 'any user' | 'the owner' = 'any user',
) {
  /** A request with a body passes both hooks below, but must count only once. */
  const callers = new WeakMap<Request, Caller>()

  function callerOf({ request, params, set }: HookContext): Caller {
    const known = callers.get(request)
    if (known !== undefined) return known
    // An id that is not a UUID is NOT_FOUND, with or without a key.
    if (!idsOf(params).every((id) => uuidParams.safeParse({ id }).success)) throw notFound()
    const key = keyOf(request.headers)
    const caller = key === null ? null : apiKeys.authenticate(key)
    if (caller === null) {
      throw new ServiceError(
        'UNAUTHORIZED',
        'A valid API key is needed: Authorization: Bearer <API key>, or X-API-Key: <API key>. A first call is at /docs.',
      )
    }
    const rateLimit = limitNow()
    if (rateLimit !== null) takeRequest(rateLimit, caller.keyId, set.headers)
    if (who === 'the owner' && !isOwner(caller.user)) {
      throw new ServiceError('FORBIDDEN', 'Only the owner of this service may do this.')
    }
    callers.set(request, caller)
    senders.set(request, caller.user.id)
    return caller
  }

  return new Elysia()
    .onParse({ as: 'scoped' }, (context) => {
      callerOf(context)
    })
    .derive({ as: 'scoped' }, (context) => ({ caller: callerOf(context) }))
}

interface HookContext {
  readonly request: Request
  readonly params: unknown
  readonly set: { readonly headers: Record<string, string | number> }
}

/**
 * The key that a request carries, or null. Two different keys count as none, since their users may differ. A proxy in front
 * of the service may use `Authorization` for a scheme of its own, for example Basic: then only `X-API-Key` counts.
 */
function keyOf(headers: Headers): string | null {
  const authorization = headers.get('authorization') ?? ''
  const [, bearer = null] = /^Bearer +(\S+) *$/i.exec(authorization) ?? []
  const apiKey = headers.get('x-api-key')
  if (apiKey === null) return bearer
  const isBearer = /^Bearer(?: |$)/i.test(authorization)
  return !isBearer || apiKey === bearer ? apiKey : null
}

/** Sets the header fields of draft-ietf-httpapi-ratelimit-headers-10. @throws ServiceError `RATE_LIMITED` */
function takeRequest(rateLimit: TokenBuckets, keyId: string, headers: HookContext['set']['headers']): void {
  const { allowed, remaining, retryAfterSeconds, fullAfterSeconds } = rateLimit.take(keyId)
  headers['ratelimit-policy'] = `"key";q=${rateLimit.perMinute};w=60`
  headers.ratelimit = `"key";r=${remaining};t=${fullAfterSeconds}`
  if (allowed) return
  headers['retry-after'] = retryAfterSeconds
  const message = `An API key may make ${rateLimit.perMinute} requests per minute. Try again in ${retryAfterSeconds} s.`
  throw new ServiceError('RATE_LIMITED', message)
}

function idsOf(params: unknown): unknown[] {
  const isId = ([name]: [string, unknown]) => name === 'id' || name.endsWith('_id')
  return Object.entries(params ?? {})
    .filter(isId)
    .map(([, value]) => value)
}
