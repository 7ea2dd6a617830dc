import { z } from 'zod'
import { ERROR_CODES } from '../errors.ts'

/** The body of every error. */
export const errorEnvelope = z.object({
  success: z.literal(false),
  error: z.object({
    code: z.enum(ERROR_CODES),
    message: z.string().describe('A sentence that a person can act on.'),
    issues: z
      .array(
        z.object({
          path: z.string().describe('The field, as in urls.3; empty for the whole body.'),
          message: z.string(),
        }),
      )
      .optional()
      .describe('All that is wrong with the request, up to 20.'),
  }),
})
export type ErrorEnvelope = z.infer<typeof errorEnvelope>
