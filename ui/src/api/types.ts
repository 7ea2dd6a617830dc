import type { JobListItemWire } from '../../../server/http/schemas.ts'

// The service declares the types of requests and responses; here they only get the interface's names.
export type {
  ApiKeyWire as ApiKey,
  EntryWire as Entry,
  ErrorEnvelope,
  JobListItemWire as JobListItem,
  JobStatsWire as JobCounts,
  JobWire as Job,
  MeWire as Me,
  NewApiKeyWire as NewApiKey,
  PageMetaWire as PageMeta,
  ProgressWire as Progress,
} from '../../../server/http/schemas.ts'

export type JobStatus = JobListItemWire['status']
