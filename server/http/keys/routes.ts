import { Elysia } from 'elysia'
import { z } from 'zod'
import type { ApiKeys } from '../../keys/api-keys.ts'
import { REQUEST_LIMITS } from '../../request-limits.ts'
import { parseDateTime } from '../../time/date-time.ts'
import type { Authentication } from '../authenticate.ts'
import { type JsonBody, MAX_BODY_BYTES, skipBody } from '../body/json-body.ts'
import { pageMetaToJson } from '../json.ts'
import { messageResponse, operation, successBody } from '../operation.ts'
import { longPageQuery, pageMeta, uuidParams } from '../schemas.ts'
import { apiKeyToJson, newApiKeyToJson } from './json.ts'
import { apiKey, createApiKeyBody, newApiKey } from './schemas.ts'

/** Specification, sections 4.1 to 4.3. */
export function apiKeyRoutes(authentication: Authentication, apiKeys: ApiKeys, jsonBody: JsonBody) {
  return new Elysia({ prefix: '/api-keys' })
    .use(authentication)
    .get(
      '',
      ({ caller, query: { limit = REQUEST_LIMITS.pageSize, cursor = null } }) => {
        const page = apiKeys.list(caller.user.id, { limit, cursor })
        return {
          success: true,
          api_keys: page.keys.map(apiKeyToJson),
          meta: pageMetaToJson(limit, page.total, page.nextCursor),
        }
      },
      {
        query: longPageQuery,
        detail: operation({
          tag: 'API keys',
          id: 'listApiKeys',
          summary: 'List API keys',
          description: 'Newest first, without revoked ones.',
          success: {
            200: { description: 'A page.', json: successBody({ api_keys: z.array(apiKey), meta: pageMeta }) },
          },
        }),
      },
    )
    .post(
      '',
      ({ caller, body, status }) => {
        const expiresAt = body?.expires_at == null ? null : parseDateTime(body.expires_at)
        const created = apiKeys.create(caller.user.id, body?.name ?? null, expiresAt)
        return status(201, { success: true, api_key: newApiKeyToJson(created) })
      },
      {
        parse: jsonBody(MAX_BODY_BYTES),
        body: createApiKeyBody,
        detail: operation({
          tag: 'API keys',
          id: 'createApiKey',
          summary: 'Create an API key',
          success: { 201: newApiKeyResponse },
          errors: ['PLAN_LIMIT_EXCEEDED'],
        }),
      },
    )
    .delete(
      '/:id',
      ({ caller, params }) => {
        apiKeys.revoke(caller.user.id, params.id)
        return { success: true, message: 'API key revoked' }
      },
      {
        params: uuidParams,
        parse: skipBody,
        detail: operation({
          tag: 'API keys',
          id: 'revokeApiKey',
          summary: 'Revoke an API key',
          description: 'For good. A key may revoke itself.',
          success: { 200: messageResponse },
        }),
      },
    )
}

export const newApiKeyResponse = {
  description: 'The key, shown only once.',
  json: successBody({ api_key: newApiKey }),
}
