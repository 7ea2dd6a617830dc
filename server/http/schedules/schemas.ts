import { z } from 'zod'
import { REQUEST_LIMITS } from '../../request-limits.ts'
import { cronIssue, isTimeZone } from '../../schedules/recurrence.ts'
import { isObject } from '../../text/parse-json.ts'
import {
  FILE_KINDS,
  GONE_POLICIES,
  INTERVALS,
  RUN_STATUSES,
  SCHEDULE_REUSES,
  SCHEDULE_STATUSES,
} from '../../vocabulary.ts'
import { hintsOf, job, metadata, zipFilename } from '../jobs/schemas.ts'
import { file, sourceLists, sourceUrl } from '../jobs/source-schemas.ts'
import { dateTime, runChanges, text, wholeNumber } from '../schemas.ts'
import { jobHeaders, originHeaderNames } from '../sites/schemas.ts'

// What clients send about schedules, and what the service responds.

const name = text(REQUEST_LIMITS.scheduleNameCharacters)
  .min(1)
  .refine((value) => !/\p{C}/u.test(value), 'must not contain control characters')
  .describe('For people, and for {name} in zip_filename.')

const cron = z
  .string()
  .max(REQUEST_LIMITS.cronCharacters)
  .superRefine((value, context) => {
    const message = cronIssue(value)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })
  .meta({
    example: '0 6 * * 1',
    description:
      'Five fields: minute, hour, day of the month, month, weekday. 0 6 * * 1 is each Monday at 06:00.',
  })

const every = z
  .union([z.enum(INTERVALS), z.object({ cron })], {
    error: `must be ${INTERVALS.join(', ')}, or an object with cron`,
  })
  .describe(
    'hour, day, week and month count from now: each day at this time, each week on this weekday, each month on this day (after ' +
      'the 28th, on the last). Anything else as { cron }. The plan has a shortest interval.',
  )

const timeZone = z
  .string()
  .max(REQUEST_LIMITS.timeZoneCharacters)
  .refine(isTimeZone, 'must be the name of a time zone, as in Europe/Berlin')
  .meta({
    example: 'Europe/Berlin',
    description:
      'As in Europe/Berlin. If a clock change skips a time, the run is due when the gap ends; if a time occurs twice, at the first.',
  })

const page = z.object({
  url: sourceUrl.describe('The page, which each run reads anew.'),
  kind: z.enum(FILE_KINDS).nullish().describe('Only links of this kind.'),
  match: text(REQUEST_LIMITS.matchCharacters)
    .min(1)
    .nullish()
    .describe('Only links whose URL matches, with * and ?.'),
})

const options = {
  keep: wholeNumber(1, REQUEST_LIMITS.keptArchives)
    .nullish()
    .describe(
      'How many archives are kept. Default 4. An older one goes when a newer one is complete, never before.',
    ),
  reuse: z
    .enum(SCHEDULE_REUSES)
    .nullish()
    .describe(
      'unchanged (default): files that their sources confirm (304) are copied from the newest archive. none: all are fetched.',
    ),
  on_gone: z
    .enum(GONE_POLICIES)
    .nullish()
    .describe(
      'What to do when a source fails that the newest archive has: keep (default) copies its last good file, leave_out packs the ' +
        'rest, fail fails the run.',
    ),
  zip_filename: zipFilename
    .nullish()
    .describe(
      'Without .zip, which is appended. {name}, {date} (2026-11-30) and {time} (0615) are filled in. Default: {name} {date} {time}.',
    ),
  fail_on_url_error: z
    .boolean()
    .nullish()
    .describe(
      'With on_gone keep: whether a URL that fails, and of which no archive has a file, fails the run. Default false.',
    ),
  fail_on_warning: z.boolean().nullish().describe('As for a job.'),
  manifest: z.boolean().nullish().describe('As for a job.'),
  metadata: metadata.nullish().describe('Pairs of your own, which each of its jobs gets.'),
  headers: jobHeaders
    .nullish()
    .describe('Sent to these origins by each run. Kept sealed; values are never returned.'),
  use_sites: z.boolean().nullish().describe('As for a job. Default true.'),
}

const lists = {
  ...sourceLists,
  page: page.nullish().describe('In place of urls: the links of a page, as POST /links finds them.'),
}

const createFields = z.object({
  name,
  every,
  time_zone: timeZone,
  ...lists,
  ...options,
  first_job_id: z
    .guid()
    .toLowerCase()
    .nullish()
    .describe(
      'A completed job whose archive becomes the first of the schedule: keep decides how long it stays, latest_url opens it, and the ' +
        'next run copies from it.',
    ),
})

export const createScheduleBody = z.intersection(
  z.intersection(createFields, listsOf(1, 'must be given, or files or page, and only one of them')),
  hintsOf({ job: Object.keys(createFields.shape), file: Object.keys(file.shape) }),
)
export type CreateScheduleBody = z.infer<typeof createScheduleBody>

export const changeScheduleBody = z.intersection(
  z.object({
    name: name.nullish(),
    every: every.nullish(),
    time_zone: timeZone.nullish(),
    status: z
      .enum(SCHEDULE_STATUSES)
      .nullish()
      .describe(
        'paused: no run begins by itself. active: the next one does, and earlier failures are forgotten.',
      ),
    ...lists,
    ...options,
  }),
  listsOf(0, 'must be given, or files or page, but only one of them'),
)
export type ChangeScheduleBody = z.infer<typeof changeScheduleBody>

/** Checks the raw body in addition to the fields, so that one response lists all problems. */
function listsOf(min: 0 | 1, message: string) {
  return z.pipe(
    z.unknown().superRefine((body, context) => {
      if (!isObject(body)) return
      const given = LISTS.filter((field) => body[field] != null).length
      // Otherwise, zod would merge the raw body with the fields, and fail where a field was transformed.
      if (given < min || given > 1)
        context.addIssue({ code: 'custom', path: ['urls'], message, continue: false })
      const { on_gone, fail_on_url_error } = body
      if (on_gone === 'fail' && fail_on_url_error === false)
        context.addIssue({
          code: 'custom',
          path: ['fail_on_url_error'],
          message: CONTRADICTION,
          continue: false,
        })
      if (on_gone === 'leave_out' && fail_on_url_error === true)
        context.addIssue({
          code: 'custom',
          path: ['fail_on_url_error'],
          message: CONTRADICTION,
          continue: false,
        })
    }),
    z.transform(() => ({})),
  )
}

const LISTS = ['urls', 'files', 'page'] as const
const CONTRADICTION = 'contradicts on_gone'

export const scheduleRun = z.object({
  job_id: z.uuid().nullable().describe('Null if the run was refused. The job may have been deleted since.'),
  started_at: dateTime,
  ended_at: dateTime.nullable().describe('Null while the run is under way.'),
  status: z.enum(RUN_STATUSES),
  failure: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .describe('Of a failed run: the failure of the job, or the error that has refused the run.'),
  changes: runChanges.nullable().describe('Of a completed run. In the first one, everything is added.'),
  kept_from: dateTime.nullable().describe('The earliest time from which a file was kept.'),
})
export type ScheduleRunJson = z.infer<typeof scheduleRun>

export const listedSchedule = z.object({
  id: z.uuid(),
  name: z.string(),
  status: z.enum(SCHEDULE_STATUSES),
  paused_reason: z
    .string()
    .nullable()
    .describe('A sentence, if the service has paused it: after five failed runs in a row.'),
  every: z.union([z.enum(INTERVALS), z.object({ cron: z.string() })]).describe('As submitted.'),
  cron: z.string().describe('The same in five fields, also for an interval.'),
  time_zone: z.string(),
  keep: z.int(),
  reuse: z.enum(SCHEDULE_REUSES),
  on_gone: z.enum(GONE_POLICIES),
  zip_filename: z.string(),
  fail_on_url_error: z.boolean(),
  fail_on_warning: z.boolean(),
  manifest: z.boolean(),
  use_sites: z.boolean(),
  headers: z.array(originHeaderNames),
  metadata: z.record(z.string(), z.string()),
  url_count: z.int().nullable().describe('Null if a page is the list.'),
  page: z
    .object({ url: z.string(), kind: z.enum(FILE_KINDS).nullable(), match: z.string().nullable() })
    .nullable()
    .describe('Null if the list was submitted.'),
  created_at: dateTime,
  next_run_at: dateTime
    .nullable()
    .describe('Null while it is paused. A time that has passed begins as soon as no other run is under way.'),
  failed_runs: z.int().describe('How many runs have failed since the last one that completed.'),
  last_run: scheduleRun.nullable(),
  latest_url: z
    .url()
    .describe('Of a page that always shows the newest complete archive. Needs no key; keep it secret.'),
})
export type ListedScheduleJson = z.infer<typeof listedSchedule>

export const schedule = listedSchedule.extend({
  urls: z.array(z.string()).describe('Empty if a page is the list.'),
  files: job.shape.files,
})
export type ScheduleJson = z.infer<typeof schedule>
