import { z } from 'zod'
import type { PositionRange } from '../../downloads/range.ts'
import { REQUEST_LIMITS } from '../../request-limits.ts'
import { JOB_STATUSES } from '../../vocabulary.ts'
import { dateTime, runChanges, warning } from '../schemas.ts'

export const tokenParams = z.object({
  token: z.string().describe('From download_url, early_download_url or share_url.'),
})

export const sharedFileParams = tokenParams.extend({
  position: z
    .pipe(z.string().regex(/^\d{1,9}$/), z.transform(Number))
    .meta({ type: 'integer', minimum: 0, description: 'From the list of files.' }),
})

/** Positions and ranges of positions, in ascending order, so that no file comes twice. */
export const selectionQuery = z.object({
  positions: z
    .pipe(
      z
        .string()
        .max(REQUEST_LIMITS.positionsCharacters)
        .regex(/^\d{1,9}(-\d{1,9})?(,\d{1,9}(-\d{1,9})?)*$/, 'must be positions such as 0-4,7'),
      z.transform(positionRanges),
    )
    .refine(isAscending, 'must be in ascending order, each once')
    .meta({ type: 'string', example: '0-4,7', description: 'From the list of files, in ascending order.' }),
})

function positionRanges(text: string): PositionRange[] {
  return text.split(',').map((part) => {
    const [first = 0, last = first] = part.split('-').map(Number)
    return { first, last }
  })
}

function isAscending(ranges: readonly PositionRange[]): boolean {
  return ranges.every(({ first, last }, index) => first <= last && first > (ranges[index - 1]?.last ?? -1))
}

/** With the `latest_url` of a schedule. */
const changesOfArchive = {
  changes: runChanges.optional().describe('Compared with the previous archive.'),
  kept_from: dateTime.nullable().optional().describe('The earliest time from which a file was kept.'),
}

/** What a receiver may know of an archive. */
export const sharedArchive = z.object({
  zip_filename: z.string(),
  zip_size: z.int().describe('Bytes.'),
  file_count: z.int(),
  expires_at: dateTime
    .nullable()
    .describe('Null until the archive is finished, and while its schedule keeps it.'),
  status: z.enum(JOB_STATUSES),
  missing_count: z
    .int()
    .describe('How many URLs a finished archive leaves out, because they could not be fetched.'),
  progress: z
    .number()
    .optional()
    .describe('While the archive is being packed: how much of it is done, from 0 to 0.99, as in the job.'),
  early_download_url: z
    .url()
    .optional()
    .describe('While the archive is being packed: sends it as it grows. It works until the archive expires.'),
  ...changesOfArchive,
  earlier: z
    .array(
      z.object({
        zip_filename: z.string(),
        zip_size: z.int().describe('Bytes.'),
        file_count: z.int(),
        completed_at: dateTime,
        share_url: z.string().describe('Of its own page.'),
        ...changesOfArchive,
      }),
    )
    .optional()
    .describe('With the latest_url of a schedule: the other archives that it keeps, newest first.'),
})
export type SharedArchiveJson = z.infer<typeof sharedArchive>

export const sharedFile = z.object({
  position: z
    .int()
    .describe('As in the entries of the job. Positions of files that could not be fetched are missing.'),
  name: z.string(),
  size: z.int().describe('Bytes.'),
  warning: warning.nullable().describe('What looks wrong with the file.'),
})
export type SharedFileJson = z.infer<typeof sharedFile>
