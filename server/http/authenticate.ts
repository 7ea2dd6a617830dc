import { Elysia } from 'elysia'
import { ServiceError } from '../errors.ts'
import type { ApiKeys, Caller } from '../keys/api-keys.ts'
import { uuidParams } from './schemas.ts'

/**
 * Makes the routes of a resource need an API key (specification, section 5) and gives them its `caller`. The key
 * is looked at before the body is read: strangers are not to make the service hold 48 MiB.
 */
export function authenticate(apiKeys: ApiKeys) {
  const callerOf = (request: Request, params: unknown): Caller => {
    // An id that can't exist is unknown to everyone, with or without a key.
    if (hasId(params) && !uuidParams.safeParse(params).success) {
      throw new ServiceError('NOT_FOUND', 'There is nothing here.')
    }
    const [, key] = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '') ?? []
    const caller = key === undefined ? null : apiKeys.authenticate(key)
    if (caller === null) {
      throw new ServiceError('UNAUTHORIZED', 'A valid API key is needed: Authorization: Bearer <API key>.')
    }
    return caller
  }
  return new Elysia()
    .onParse({ as: 'scoped' }, ({ request, params }) => {
      callerOf(request, params)
    })
    .derive({ as: 'scoped' }, ({ request, params }) => ({ caller: callerOf(request, params) }))
}

function hasId(params: unknown): params is { id: unknown } {
  return typeof params === 'object' && params !== null && 'id' in params
}
