import type { ListJobsQuery } from '../http/jobs/list-schemas.ts'
import type {
  ChangeJobBody,
  CreateJobBody,
  HintsJson,
  JobListItemJson,
  RetryBody,
} from '../http/jobs/schemas.ts'
import type { ChangeNotifierBody, CreateNotifierBody } from '../http/notifiers/schemas.ts'
import type { ChangeScheduleBody, CreateScheduleBody, ScheduleJson } from '../http/schedules/schemas.ts'
import type { ChangeSiteBody, CreateSiteBody } from '../http/sites/schemas.ts'

// The service declares the shapes of requests and responses; here they only get the client's names.
export type { Issue } from '../errors.ts'
export type {
  PageLinkJson as PageLink,
  PageLinksJson as PageLinks,
  ProbeResultJson as ProbeResult,
} from '../http/inspection/schemas.ts'
export type { EntryJson as Entry, ManifestLineJson as ManifestLine } from '../http/jobs/entry-schemas.ts'
export type {
  JobJson as Job,
  JobListItemJson as JobListItem,
  ProgressJson as Progress,
} from '../http/jobs/schemas.ts'
export type {
  NewNotifierJson as CreatedNotifier,
  NotifierJson as Notifier,
} from '../http/notifiers/schemas.ts'
export type {
  ListedScheduleJson as ListedSchedule,
  ScheduleJson as Schedule,
  ScheduleRunJson as ScheduleRun,
} from '../http/schedules/schemas.ts'
export type { PageMetaJson as PageMeta } from '../http/schemas.ts'
export type { ListedSiteJson as ListedSite, SiteJson as Site } from '../http/sites/schemas.ts'

export type JobStatus = JobListItemJson['status']

/** What to fetch: plain URLs, or URLs that may each have a name in the ZIP. */
export type JobSources =
  | { readonly urls: Sent<NonNullable<CreateJobBody['urls']>>; readonly files?: never }
  | { readonly files: Sent<NonNullable<CreateJobBody['files']>>; readonly urls?: never }

/** The body of `POST /jobs`. */
export type NewJob = JobSources & Sent<Omit<CreateJobBody, 'urls' | 'files' | 'hints'>>

/** A field of a request that was ignored, although it looks like a known one. */
export type Hint = NonNullable<HintsJson>[number]

/** A job that was created. `hints` is empty when nothing was ignored that looks like a known field. */
export interface CreatedJob {
  readonly id: string
  readonly hints: readonly Hint[]
}

/** The body of `PATCH /jobs/:id`. */
export type JobChanges = Sent<ChangeJobBody>

/** The body of `POST /jobs/:id/retry`. */
export type RetryOptions = Sent<NonNullable<RetryBody>>

/** The body of `POST /schedules`. */
export type NewSchedule = Sent<Omit<CreateScheduleBody, 'hints'>>

/** A schedule that was created, with `hints` as for a job. */
export type CreatedSchedule = ScheduleJson & { readonly hints: readonly Hint[] }

/** The body of `PATCH /schedules/:id`. */
export type ScheduleChanges = Sent<ChangeScheduleBody>

/** The body of `POST /sites`. */
export type NewSite = Sent<CreateSiteBody>

/** The body of `PATCH /sites/:id`. */
export type SiteChanges = Sent<ChangeSiteBody>

/** The body of `POST /notifiers`. */
export type NewNotifier = Sent<CreateNotifierBody>

/** The body of `PATCH /notifiers/:id`. */
export type NotifierChanges = Sent<ChangeNotifierBody>

/** The query of `GET /sites`, `GET /notifiers`, and of the lists of schedules and runs. */
export type PageQuery = Pick<JobQuery, 'limit' | 'cursor'>

/** The query of `GET /jobs`. */
export type JobQuery = Sent<ListJobsQuery>

/** What a client sends may be read-only, at any depth. */
type Sent<T> = { readonly [K in keyof T]: Sent<T[K]> }
