import { z } from 'zod'
import { dateTime } from '../schemas.ts'

/** An archive that another one has replaced. */
export const version = z.object({
  job_id: z.uuid(),
  file_count: z.int(),
  zip_size: z.int().describe('Bytes.'),
  completed_at: dateTime.nullable(),
  expires_at: dateTime.nullable(),
})
export type VersionJson = z.infer<typeof version>
