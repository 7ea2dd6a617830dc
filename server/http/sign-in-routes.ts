import { Elysia } from 'elysia'
import type { SignIn } from '../accounts/sign-in.ts'
import type { ApiKeys } from '../keys/api-keys.ts'
import { newApiKeyResponse, newApiKeyToJson } from './api-key-routes.ts'
import { signInBody } from './api-key-schemas.ts'
import { type JsonBody, MAX_SIGN_IN_BODY_BYTES } from './json-body.ts'
import { operation } from './operation.ts'

/** The name of the API key that a browser gets for a sign-in link. */
const BROWSER_KEY_NAME = 'Browser'

/** `POST /sign-in` exchanges a one-time token for an API key of the browser. */
export function signInRoutes(signIn: SignIn, apiKeys: ApiKeys, jsonBody: JsonBody) {
  return new Elysia().post(
    '/sign-in',
    ({ body, status }) => {
      const apiKey = signIn.redeem(body.token, (userId) => apiKeys.create(userId, BROWSER_KEY_NAME, null))
      return status(201, { success: true, api_key: newApiKeyToJson(apiKey) })
    },
    {
      parse: jsonBody(MAX_SIGN_IN_BODY_BYTES),
      body: signInBody,
      detail: operation({
        tag: 'Account',
        summary: 'Exchange a one-time token for an API key',
        isOpen: true,
        success: { 201: newApiKeyResponse },
        errors: ['UNAUTHORIZED', 'PLAN_LIMIT_EXCEEDED', 'RATE_LIMITED'],
      }),
    },
  )
}
