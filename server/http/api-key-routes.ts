import { Elysia } from 'elysia'
import { parseDateTime } from '../date-time.ts'
import type { ApiKeys } from '../keys/api-keys.ts'
import type { Authentication } from './authenticate.ts'
import { type JsonBody, MAX_BODY_BYTES, skipBody } from './json-body.ts'
import { createApiKeyBody, uuidParams } from './request-schemas.ts'
import { apiKeyToWire, newApiKeyToWire } from './wire.ts'

/** Specification, sections 4.1 to 4.3. */
export function apiKeyRoutes(authentication: Authentication, apiKeys: ApiKeys, jsonBody: JsonBody) {
  return new Elysia({ prefix: '/api-keys' })
    .use(authentication)
    .get('', ({ caller }) => ({ success: true, api_keys: apiKeys.list(caller.user.id).map(apiKeyToWire) }))
    .post(
      '',
      ({ caller, body, status }) => {
        const expiresAt = body?.expires_at == null ? null : parseDateTime(body.expires_at)
        const created = apiKeys.create(caller.user.id, body?.name ?? null, expiresAt)
        return status(201, { success: true, api_key: newApiKeyToWire(created) })
      },
      { parse: jsonBody(MAX_BODY_BYTES), body: createApiKeyBody },
    )
    .delete(
      '/:id',
      ({ caller, params }) => {
        apiKeys.revoke(caller.user.id, params.id)
        return { success: true, message: 'API key revoked' }
      },
      { params: uuidParams, parse: skipBody },
    )
}
