import { z } from 'zod'
import { ENTRY_CHANGES, ENTRY_STATUSES } from '../../vocabulary.ts'
import { dateTime, warning } from '../schemas.ts'

// What the service responds about the files of a job.

export const entry = z.object({
  position: z.int(),
  url: z.string(),
  name: z.string().nullable(),
  size: z.int(),
  expected_size: z
    .int()
    .nullable()
    .describe('Bytes that the source declares, while it is being fetched. Null when it declares none.'),
  sha256: z
    .string()
    .nullable()
    .describe(
      'Set for files in the ZIP if the job has a manifest or the file was submitted with a sha256; otherwise null.',
    ),
  status: z.enum(ENTRY_STATUSES),
  error: z.string().nullable(),
  warning: warning
    .nullable()
    .describe(
      'What looks wrong with a file that is in the ZIP all the same; or the saved login that the source of a failed URL has refused.',
    ),
  change: z
    .enum(ENTRY_CHANGES)
    .optional()
    .describe(
      'Of a completed run of a schedule: how it compares with the previous archive. Left out for a URL that neither has.',
    ),
  kept_from: dateTime
    .optional()
    .describe(
      'Of a file that is kept: when its source last had it. Its error says why the source fails now.',
    ),
})
export type EntryJson = z.infer<typeof entry>

/** A line of the manifest of a ZIP. */
export const manifestLine = z.object({
  name: z.string(),
  url: z.string(),
  final_url: z.string().nullable().describe('After redirects.'),
  fetched_at: dateTime.nullable(),
  status: z
    .int()
    .nullable()
    .describe('The last HTTP status: 206 for a continued file, 304 for a copy of an unchanged one.'),
  content_type: z.string().nullable(),
  etag: z.string().nullable(),
  last_modified: dateTime.nullable(),
  size: z.int(),
  sha256: z.string().nullable(),
  kept_from: dateTime.optional().describe('Of a file that is kept: when its source last had it.'),
})
export type ManifestLineJson = z.infer<typeof manifestLine>
