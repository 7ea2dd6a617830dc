import { z } from 'zod'
import { REQUEST_LIMITS } from '../../request-limits.ts'

const { jobFilenameCharacters: MAX_CHARACTERS } = REQUEST_LIMITS

/** A list of files whose names are not too long in all. */
export function withShortNames<T extends { readonly filename?: string | null | undefined }>(
  file: z.ZodType<T>,
) {
  return z
    .array(file)
    .refine(
      (files) => files.reduce((sum, { filename }) => sum + (filename?.length ?? 0), 0) <= MAX_CHARACTERS,
      `must have names of at most ${MAX_CHARACTERS.toLocaleString('en')} characters in all`,
    )
}
