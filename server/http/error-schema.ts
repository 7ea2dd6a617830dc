import { z } from 'zod'
import { ERROR_CODES } from '../errors.ts'
import { described } from './field-schemas.ts'

/** The body of every error. */
export const errorEnvelope = z.object({
  success: z.literal(false),
  error: z.object({
    code: z.enum(ERROR_CODES),
    message: described(z.string(), 'A sentence that a person can act on.'),
    issues: described(
      z.optional(
        z.array(
          z.object({
            path: described(z.string(), 'The field, as in urls.3; empty for the whole body.'),
            message: z.string(),
          }),
        ),
      ),
      'All that is wrong with the request, up to 20.',
    ),
  }),
})
export type ErrorEnvelope = z.infer<typeof errorEnvelope>
