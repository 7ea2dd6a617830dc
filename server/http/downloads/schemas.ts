import { z } from 'zod'
import { JOB_STATUSES } from '../../vocabulary.ts'
import { dateTime, warning } from '../schemas.ts'

export const tokenParams = z.object({
  token: z.string().describe('From download_url, early_download_url or share_url.'),
})

export const sharedFileParams = tokenParams.extend({
  position: z
    .pipe(z.string().regex(/^\d{1,9}$/), z.transform(Number))
    .meta({ type: 'integer', minimum: 0, description: 'From the list of files.' }),
})

/** What a receiver may know of an archive. */
export const sharedArchive = z.object({
  zip_filename: z.string(),
  zip_size: z.int().describe('Bytes.'),
  file_count: z.int(),
  expires_at: dateTime.nullable().describe('Null until the archive is finished.'),
  status: z.enum(JOB_STATUSES),
  progress: z
    .number()
    .optional()
    .describe('While the archive is being packed: the share of its files that are ready, from 0 to 1.'),
  early_download_url: z
    .url()
    .optional()
    .describe('While the archive is being packed: sends it as it grows. It works until the archive expires.'),
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
