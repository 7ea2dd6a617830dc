import { z } from 'zod'
import { dateTime, described } from '../field-schemas.ts'
import { jobStats } from '../jobs/schemas.ts'
import { limits } from '../users/me-schemas.ts'

export const planLimits = limits.extend({ quota_gb_days: z.nullable(z.number()) })

/** The settings as the flags of the command line name them, without paths and secrets. */
export const serviceSettings = z.object({
  listen: z.string(),
  archive_store_proxy: z.boolean(),
  base_url: z.nullable(z.string()),
  allow_network: z.array(z.string()),
  jobs: z.int(),
  connections: z.int(),
  host_connections: z.int(),
  rate_limit: described(z.int(), 'Requests per minute and key; 0: no limit.'),
  trust_proxy: z.array(z.string()),
  keep_details: described(z.int(), 'Days.'),
  log_format: z.string(),
  log_level: z.string(),
  plans: z.object({ free: planLimits, pro: planLimits }),
})

export const serviceStatus = z.object({
  version: z.string(),
  started_at: dateTime,
  start_at_login: described(
    z.nullable(z.boolean()),
    'Whether Holdall starts when its user logs in. Null where that can’t be changed: on a server, and for clients on other machines.',
  ),
  disk: described(
    z.object({
      free: z.int(),
      total: z.int(),
      kept_free: described(z.int(), 'With less free space, no new job is accepted.'),
    }),
    'The disk of the archives, in bytes.',
  ),
  archive_bytes: z.int(),
  checkpoint_bytes: described(z.int(), 'What failed jobs keep for a retry.'),
  jobs: described(jobStats, 'Of all users.'),
  queue_wait_seconds: described(
    z.number(),
    'How long the oldest job that has not started yet has waited; 0 when none waits.',
  ),
  connections_in_use: described(z.int(), 'Connections to sources; settings.connections is the limit.'),
  archive_store: described(
    z.nullable(
      z.object({
        waiting_uploads: described(z.int(), 'Jobs that are packed and not yet completed.'),
        trouble: described(z.nullable(z.string()), 'Why the store cannot be used.'),
      }),
    ),
    'Null: archives stay on the disk.',
  ),
  settings: serviceSettings,
  last_backup: described(
    z.nullable(z.object({ completed_at: dateTime, size: described(z.int(), 'Bytes.') })),
    'Made by `holdall backup`. Null: none yet.',
  ),
})
export type ServiceStatusJson = z.infer<typeof serviceStatus>

export const changeServiceBody = z.strictObject({ start_at_login: z.boolean() })
