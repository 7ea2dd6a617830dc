import type { Source } from '../../engine/job-order.ts'
import type {
  NewSchedule,
  PageList,
  Schedule,
  ScheduleChanges,
  ScheduleList,
  ScheduleRun,
  ScheduleState,
} from '../../schedules/schedule.ts'
import { DEFAULT_ZIP_NAME } from '../../schedules/zip-name.ts'
import { fileToJson, sourcesOf } from '../jobs/json.ts'
import { changesToJson, iso, isoOrNull } from '../json.ts'
import { headerNamesToJson, toJobHeaders } from '../sites/json.ts'
import type {
  ChangeScheduleBody,
  CreateScheduleBody,
  ListedScheduleJson,
  ScheduleJson,
  ScheduleRunJson,
} from './schemas.ts'

// Maps requests and responses of schedules to the domain and back.

export function toNewSchedule(body: Omit<CreateScheduleBody, 'hints'>): NewSchedule {
  return {
    name: body.name,
    ...toRecurrence(body.every),
    timeZone: body.time_zone,
    keep: body.keep ?? DEFAULT_KEEP,
    reuses: body.reuse !== 'none',
    onGone: body.on_gone ?? 'keep',
    zipName: body.zip_filename ?? DEFAULT_ZIP_NAME,
    failOnUrlError: body.fail_on_url_error ?? false,
    failOnWarning: body.fail_on_warning ?? false,
    hasManifest: body.manifest ?? false,
    metadata: body.metadata ?? {},
    headers: (body.headers ?? []).map(toJobHeaders),
    usesSites: body.use_sites ?? true,
    firstJobId: body.first_job_id ?? null,
    list: toList(body) ?? { sources: [], asFiles: false, page: null },
  }
}

export function toScheduleChanges(body: ChangeScheduleBody): ScheduleChanges {
  const list = toList(body)
  return {
    ...(body.name != null && { name: body.name }),
    ...(body.every != null && { every: toRecurrence(body.every) }),
    ...(body.time_zone != null && { timeZone: body.time_zone }),
    ...(body.status != null && { status: body.status }),
    ...(body.keep != null && { keep: body.keep }),
    ...(body.reuse != null && { reuses: body.reuse === 'unchanged' }),
    ...(body.on_gone != null && { onGone: body.on_gone }),
    ...(body.zip_filename != null && { zipName: body.zip_filename }),
    ...(body.fail_on_url_error != null && { failOnUrlError: body.fail_on_url_error }),
    ...(body.fail_on_warning != null && { failOnWarning: body.fail_on_warning }),
    ...(body.manifest != null && { hasManifest: body.manifest }),
    ...(body.metadata != null && { metadata: body.metadata }),
    ...(body.headers != null && { headers: body.headers.map(toJobHeaders) }),
    ...(body.use_sites != null && { usesSites: body.use_sites }),
    ...(list !== null && { list }),
  }
}

export function scheduleToListItem(schedule: ScheduleState, latestUrl: string): ListedScheduleJson {
  return {
    id: schedule.id,
    name: schedule.name,
    status: schedule.status,
    paused_reason: schedule.pausedReason,
    every: schedule.interval ?? { cron: schedule.cron },
    cron: schedule.cron,
    time_zone: schedule.timeZone,
    keep: schedule.keep,
    reuse: schedule.reuses ? 'unchanged' : 'none',
    on_gone: schedule.onGone,
    zip_filename: schedule.zipName,
    fail_on_url_error: failsOnUrlError(schedule),
    fail_on_warning: schedule.failOnWarning,
    manifest: schedule.hasManifest,
    use_sites: schedule.usesSites,
    headers: schedule.headerNames.map(headerNamesToJson),
    metadata: schedule.metadata,
    url_count: schedule.page === null ? schedule.urlCount : null,
    page: schedule.page,
    created_at: iso(schedule.createdAt),
    next_run_at: isoOrNull(schedule.nextRunAt),
    failed_runs: schedule.failedRuns,
    last_run: schedule.lastRun === null ? null : runToJson(schedule.lastRun),
    latest_url: latestUrl,
  }
}

/** The JSON of a schedule (`ScheduleJson`) in pieces, each generated on demand: its list may take megabytes. */
export function* scheduleJson(
  schedule: ScheduleState,
  latestUrl: string,
  sources: Iterable<Source>,
): Generator<string> {
  yield JSON.stringify(scheduleToListItem(schedule, latestUrl)).slice(0, -1)
  yield* listJson('urls', sources, ({ url }): ScheduleJson['urls'][number] => url)
  if (schedule.asFiles) yield* listJson('files', sources, fileToJson)
  yield '}'
}

export function runToJson(run: ScheduleRun): ScheduleRunJson {
  return {
    job_id: run.jobId,
    started_at: iso(run.createdAt),
    ended_at: isoOrNull(run.endedAt),
    status: run.status,
    failure: run.failure,
    changes: run.changes === null ? null : changesToJson(run.changes),
    kept_from: isoOrNull(run.changes?.keptFrom ?? null),
  }
}

function* listJson(
  name: keyof ScheduleJson,
  rows: Iterable<Source>,
  toJson: (row: Source) => unknown,
): Generator<string> {
  yield `,${JSON.stringify(name)}:[`
  let before = ''
  for (const row of rows) {
    yield before + JSON.stringify(toJson(row))
    before = ','
  }
  yield ']'
}

function toRecurrence(every: CreateScheduleBody['every']): Pick<NewSchedule, 'interval' | 'cron'> {
  return typeof every === 'string' ? { interval: every, cron: null } : { interval: null, cron: every.cron }
}

function toList(body: Pick<CreateScheduleBody, 'urls' | 'files' | 'page'>): ScheduleList | null {
  if (body.page != null) return { page: toPage(body.page) }
  if (body.urls == null && body.files == null) return null
  return { sources: sourcesOf(body), asFiles: body.files != null, page: null }
}

function toPage({ url, kind, match }: NonNullable<CreateScheduleBody['page']>): PageList {
  return { url, kind: kind ?? null, match: match ?? null }
}

/** `onGone` decides, where it says anything. */
function failsOnUrlError({ onGone, failOnUrlError }: Pick<Schedule, 'onGone' | 'failOnUrlError'>): boolean {
  return onGone === 'keep' ? failOnUrlError : onGone === 'fail'
}

const DEFAULT_KEEP = 4
