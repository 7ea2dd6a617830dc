import type { EntryJson } from '../../../server/http/jobs/entry-schemas.ts'
import type { JobListItemJson } from '../../../server/http/jobs/schemas.ts'
import type { NotifierJson } from '../../../server/http/notifiers/schemas.ts'
import type { MeJson } from '../../../server/http/users/schemas.ts'

export type {
  SharedArchiveJson as SharedArchive,
  SharedFileJson as SharedFile,
} from '../../../server/http/downloads/schemas.ts'
export type { EntryJson as Entry } from '../../../server/http/jobs/entry-schemas.ts'
export type {
  JobJson as Job,
  JobListItemJson as JobListItem,
  JobStatsJson as JobCounts,
  ProgressJson as Progress,
} from '../../../server/http/jobs/schemas.ts'
export type { FetchErrorJson as FetchError } from '../../../server/http/jobs/url-error-schema.ts'
export type {
  ApiKeyJson as ApiKey,
  CreateApiKeyBody as KeySettings,
  NewApiKeyJson as NewApiKey,
} from '../../../server/http/keys/schemas.ts'
export type {
  ChangeNotifierBody as NotifierChanges,
  CreateNotifierBody as NotifierSettings,
  DeliveryJson as Delivery,
  NewNotifierJson as NewNotifier,
  NotifierJson as Notifier,
} from '../../../server/http/notifiers/schemas.ts'
export type {
  ListedScheduleJson as ListedSchedule,
  ScheduleJson as Schedule,
  ScheduleRunJson as ScheduleRun,
} from '../../../server/http/schedules/schemas.ts'
export type {
  ErrorEnvelope,
  PageMetaJson as PageMeta,
  RunChangesJson as RunChanges,
} from '../../../server/http/schemas.ts'
export type { ServiceStatusJson as ServiceStatus } from '../../../server/http/service/schemas.ts'
export type {
  ChangeSettingsBody as SettingChanges,
  SettingsJson as OwnerSettings,
} from '../../../server/http/service/settings-schemas.ts'
export type {
  ChangeSiteBody as SiteChanges,
  CreateSiteBody as SiteSettings,
  ListedSiteJson as ListedSite,
  SiteJson as Site,
} from '../../../server/http/sites/schemas.ts'
// The service declares the types of requests and responses; here they only get the interface's names.
export type {
  CreateUserBody as UserSettings,
  MeJson as Me,
  SignInLinkJson as SignInLink,
  UserJson as User,
} from '../../../server/http/users/schemas.ts'
export type { WebhookWithSecretJson as WebhookWithSecret } from '../../../server/http/webhooks/schemas.ts'

export type NotifierKind = NotifierJson['kind']
export type NotifierOccasion = NotifierJson['on'][number]
export type Warning = NonNullable<EntryJson['warning']>
export type Plan = MeJson['user']['plan']
export type SampledFile = NonNullable<JobListItemJson['sample']>[number]
export type JobStatus = JobListItemJson['status']
/** A status to filter by. Cancelled jobs have failed; here they are apart from those that failed otherwise. */
export type JobFilter = JobStatus | 'cancelled'
export type {
  PageLinkJson as PageLink,
  PageLinksJson as PageLinks,
  ProbeResultJson as ProbeResult,
} from '../../../server/http/inspection/schemas.ts'
