import { z } from 'zod'
import { REQUEST_LIMITS } from '../../request-limits.ts'
import { parseDateTime } from '../../time/date-time.ts'
import { dateTime, described, text } from '../field-schemas.ts'

const timeWithOffset = z.string().check(
  z.refine(
    (text) => parseDateTime(text) !== null,
    'must be a time with Z or an offset, as in 2030-01-31T12:00:00Z',
  ),
  z.meta({ format: 'date-time' }),
)

export const createApiKeyBody = z.nullish(
  z.object({
    name: described(z.nullish(text(REQUEST_LIMITS.apiKeyNameCharacters)), 'Default: API key.'),
    expires_at: described(z.nullish(timeWithOffset), 'In the future, with Z or an offset. Default: never.'),
  }),
)
export type CreateApiKeyBody = z.infer<typeof createApiKeyBody>

export const signInBody = z.object({ token: described(z.string(), 'The part of a sign-in link after #.') })

export const apiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  created_at: dateTime,
  expires_at: described(z.nullable(dateTime), 'Null: never.'),
  last_used_at: described(z.nullable(dateTime), 'Null: not yet.'),
  is_browser: described(z.boolean(), 'Whether a browser got it by a sign-in link.'),
})
export type ApiKeyJson = z.infer<typeof apiKey>

export const newApiKey = apiKey.extend({ key: described(z.string(), 'The secret, shown only once.') })
export type NewApiKeyJson = z.infer<typeof newApiKey>
