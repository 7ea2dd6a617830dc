import type { ListJobsQuery } from '../http/jobs/list-schemas.ts'
import type { ChangeJobBody, CreateJobBody, JobListItemJson, RetryBody } from '../http/jobs/schemas.ts'
import type { ChangeSiteBody, CreateSiteBody } from '../http/sites/schemas.ts'

// The service declares the shapes of requests and responses; here they only get the client's names.
export type { Issue } from '../errors.ts'
export type {
  PageLinkJson as PageLink,
  PageLinksJson as PageLinks,
  ProbeResultJson as ProbeResult,
} from '../http/inspection/schemas.ts'
export type {
  EntryJson as Entry,
  JobJson as Job,
  JobListItemJson as JobListItem,
  ManifestLineJson as ManifestLine,
  ProgressJson as Progress,
} from '../http/jobs/schemas.ts'
export type { PageMetaJson as PageMeta } from '../http/schemas.ts'
export type { ListedSiteJson as ListedSite, SiteJson as Site } from '../http/sites/schemas.ts'

export type JobStatus = JobListItemJson['status']

/** What to fetch: plain URLs, or URLs that may each have a name in the ZIP. */
export type JobSources =
  | { readonly urls: Sent<NonNullable<CreateJobBody['urls']>>; readonly files?: never }
  | { readonly files: Sent<NonNullable<CreateJobBody['files']>>; readonly urls?: never }

/** The body of `POST /jobs`. */
export type NewJob = JobSources & Sent<Omit<CreateJobBody, 'urls' | 'files' | 'hints'>>

/** The body of `PATCH /jobs/:id`. */
export type JobChanges = Sent<ChangeJobBody>

/** The body of `POST /jobs/:id/retry`. */
export type RetryOptions = Sent<NonNullable<RetryBody>>

/** The body of `POST /sites`. */
export type NewSite = Sent<CreateSiteBody>

/** The body of `PATCH /sites/:id`. */
export type SiteChanges = Sent<ChangeSiteBody>

/** The query of `GET /sites`. */
export type PageQuery = Pick<JobQuery, 'limit' | 'cursor'>

/** The query of `GET /jobs`. */
export type JobQuery = Sent<ListJobsQuery>

/** What a client sends may be read-only, at any depth. */
type Sent<T> = { readonly [K in keyof T]: Sent<T[K]> }
