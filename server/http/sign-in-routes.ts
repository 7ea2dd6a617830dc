import { Elysia } from 'elysia'
import type { SignIn } from '../accounts/sign-in.ts'
import type { ApiKeys } from '../keys/api-keys.ts'
import { type JsonBody, MAX_SIGN_IN_BODY_BYTES } from './json-body.ts'
import { signInBody } from './request-schemas.ts'
import { newApiKeyToWire } from './wire.ts'

/** The name of the API key that a browser gets for a sign-in link. */
const BROWSER_KEY_NAME = 'Browser'

/** `POST /sign-in` exchanges a one-time token for an API key of the browser. */
export function signInRoutes(signIn: SignIn, apiKeys: ApiKeys, jsonBody: JsonBody) {
  return new Elysia().post(
    '/sign-in',
    ({ body, status }) => {
      const apiKey = signIn.redeem(body.token, (userId) => apiKeys.create(userId, BROWSER_KEY_NAME, null))
      return status(201, { success: true, api_key: newApiKeyToWire(apiKey) })
    },
    { parse: jsonBody(MAX_SIGN_IN_BODY_BYTES), body: signInBody },
  )
}
