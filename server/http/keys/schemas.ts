import { z } from 'zod'
import { REQUEST_LIMITS } from '../../request-limits.ts'
import { dateTime, text, timeWithOffset } from '../schemas.ts'

export const createApiKeyBody = z
  .object({
    name: text(REQUEST_LIMITS.apiKeyNameCharacters).nullish().describe('Default: API key.'),
    expires_at: timeWithOffset.nullish().describe('In the future, with Z or an offset. Default: never.'),
  })
  .nullish()
export type CreateApiKeyBody = z.infer<typeof createApiKeyBody>

export const signInBody = z.object({ token: z.string().describe('The part of a sign-in link after #.') })

export const apiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  created_at: dateTime,
  expires_at: dateTime.nullable().describe('Null: never.'),
  last_used_at: dateTime.nullable().describe('Null: not yet.'),
  is_browser: z.boolean().describe('Whether a browser got it by a sign-in link.'),
})
export type ApiKeyJson = z.infer<typeof apiKey>

export const newApiKey = apiKey.extend({ key: z.string().describe('The secret, shown only once.') })
export type NewApiKeyJson = z.infer<typeof newApiKey>
