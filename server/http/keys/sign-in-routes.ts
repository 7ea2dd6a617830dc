import { Elysia } from 'elysia'
import type { SignIn } from '../../accounts/sign-in.ts'
import type { ApiKeys } from '../../keys/api-keys.ts'
import type { Authentication } from '../authenticate.ts'
import { type JsonBody, MAX_SIGN_IN_BODY_BYTES, skipBody } from '../body/json-body.ts'
import { messageResponse, operation } from '../operation.ts'
import { browserName } from './browser-name.ts'
import { newApiKeyToJson } from './json.ts'
import { newApiKeyResponse } from './routes.ts'
import { signInBody } from './schemas.ts'

/** `POST /sign-in` exchanges a one-time token for an API key of the browser, and `DELETE /sign-in` revokes that key. */
export function signInRoutes(
  authentication: Authentication,
  signIn: SignIn,
  apiKeys: ApiKeys,
  jsonBody: JsonBody,
) {
  const signOut = new Elysia().use(authentication).delete(
    '/sign-in',
    ({ caller }) => {
      apiKeys.revoke(caller.user.id, caller.keyId)
      return { success: true, message: 'Signed out' }
    },
    {
      parse: skipBody,
      detail: operation({
        tag: 'Account',
        id: 'signOut',
        summary: 'Sign out',
        description: 'Revokes the API key of this request, for good.',
        success: { 200: messageResponse },
        errors: ['NOT_FOUND'],
      }),
    },
  )
  return new Elysia()
    .post(
      '/sign-in',
      ({ body, request, status }) => {
        const name = browserName(request.headers.get('user-agent'))
        const apiKey = signIn.redeem(body.token, (tx, userId) => apiKeys.createSession(tx, userId, name))
        return status(201, { success: true, api_key: newApiKeyToJson(apiKey) })
      },
      {
        parse: jsonBody(MAX_SIGN_IN_BODY_BYTES),
        body: signInBody,
        detail: operation({
          tag: 'Account',
          id: 'signIn',
          summary: 'Exchange a one-time token for an API key',
          description: 'The key ends 30 days after its last use: each use moves its expires_at.',
          isOpen: true,
          success: { 201: newApiKeyResponse },
          errors: ['UNAUTHORIZED', 'PLAN_LIMIT_EXCEEDED', 'RATE_LIMITED'],
        }),
      },
    )
    .use(signOut)
}
