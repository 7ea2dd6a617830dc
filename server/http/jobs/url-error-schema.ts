import { z } from 'zod'
import { type FetchErrorText, fetchErrorTexts } from '../../fetching/attempts/fetch-failure.ts'

/** The closed set of errors of a URL, without HTTP statuses and the plan's limit. The texts are part of the interface. */
export type FetchErrorJson = FetchErrorText

export const urlError = z.object({
  url: z.string(),
  error: z
    .string()
    .describe(
      `HTTP <status code>, ZIP size limit exceeded (<limit>), or one of: ${fetchErrorTexts.join(', ')}.`,
    ),
})
