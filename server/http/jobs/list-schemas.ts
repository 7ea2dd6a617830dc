import { z } from 'zod'
import { REQUEST_LIMITS } from '../../request-limits.ts'
import { ENTRY_CHANGES, ENTRY_STATUSES, JOB_STATUSES } from '../../vocabulary.ts'
import { entryPageFields, pageFields, queryNumber, text } from '../schemas.ts'

// The query strings of lists of jobs and of their entries.

export const listJobsQuery = z
  .object({
    ...pageFields(),
    status: z.enum(JOB_STATUSES).optional(),
    cancelled: z
      .enum(['true', 'false'])
      .describe('With status=failed. true: only cancelled jobs. false: only jobs that failed otherwise.')
      .optional(),
    search: z
      .pipe(z.string().trim(), text(REQUEST_LIMITS.zipFilenameCharacters).min(1, 'must not be empty'))
      .describe(
        'Only jobs with this text in zip_filename or in one of their URLs, ignoring case. meta.total counts all ' +
          'jobs. A page can have fewer jobs than limit, or none, while has_more is true.',
      )
      .optional(),
    sample: queryNumber(
      REQUEST_LIMITS.sampledFiles,
      'Describes up to this many files of each job, spread evenly over its URLs.',
    ).optional(),
  })
  .refine(({ cancelled, status }) => cancelled === undefined || status === 'failed', {
    path: ['cancelled'],
    message: 'needs status=failed',
  })
export type ListJobsQuery = z.infer<typeof listJobsQuery>

export const listEntriesQuery = z.object({
  ...entryPageFields(),
  status: z.enum(ENTRY_STATUSES).optional(),
  warning: z
    .enum(['true', 'false'])
    .describe('true: only entries with a warning. false: only those without one.')
    .optional(),
  change: z.enum(ENTRY_CHANGES).describe('Of a run of a schedule: only entries with this change.').optional(),
})
export type ListEntriesQuery = z.infer<typeof listEntriesQuery>
