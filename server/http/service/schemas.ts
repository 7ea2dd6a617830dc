import { z } from 'zod'
import { jobStats } from '../jobs/schemas.ts'
import { dateTime } from '../schemas.ts'
import { limits } from '../users/schemas.ts'

export const planLimits = limits.extend({
  quota_gb_days: z.number().nullable(),
  max_database_bytes: z.int().describe('What the jobs and deliveries of a user may take in the database.'),
})

/** The settings as the flags of the command line name them, without paths and secrets. */
export const serviceSettings = z.object({
  listen: z.string(),
  archive_store_proxy: z.boolean(),
  base_url: z.string().nullable(),
  allow_network: z.array(z.string()),
  jobs: z.int(),
  connections: z.int(),
  host_connections: z.int(),
  proxy: z.string().nullable().describe('The proxy that sources are fetched through, without its password.'),
  no_proxy: z.string().nullable().describe('Hosts that are reached without it.'),
  ca: z.int().describe('How many certificates are trusted beside those that are built in.'),
  timeout: z.int().describe('Seconds until the first byte of a source.'),
  user_agent: z.string(),
  limit_rate: z.int().nullable().describe('Bytes per second that are fetched in all. Null: no limit.'),
  rate_limit: z.int().describe('Requests per minute and key; 0: no limit.'),
  smtp: z.string().nullable().describe('The mail server, without its login. Null: no e-mail is sent.'),
  trust_proxy: z.array(z.string()),
  keep_details: z.int().describe('Days.'),
  log_format: z.string(),
  log_level: z.string(),
  plans: z.object({ free: planLimits, pro: planLimits }),
})

export const serviceStatus = z.object({
  version: z.string(),
  started_at: dateTime,
  disk: z
    .object({
      free: z.int(),
      total: z.int(),
      kept_free: z.int().describe('With less free space, no new job is accepted.'),
    })
    .describe('The disk of the archives, in bytes.'),
  archive_bytes: z.int(),
  checkpoint_bytes: z.int().describe('What failed jobs keep for a retry.'),
  jobs: jobStats.describe('Of all users.'),
  queue_wait_seconds: z
    .number()
    .describe('How long the oldest job that has not started yet has waited; 0 when none waits.'),
  connections_in_use: z.int().describe('Connections to sources; settings.connections is the limit.'),
  archive_store: z
    .object({
      waiting_uploads: z.int().describe('Jobs that are packed and not yet completed.'),
      trouble: z.string().nullable().describe('Why the store cannot be used.'),
    })
    .nullable()
    .describe('Null: archives stay on the disk.'),
  settings: serviceSettings,
  last_backup: z
    .object({ completed_at: dateTime, size: z.int().describe('Bytes.') })
    .nullable()
    .describe('Made by `holdall backup`. Null: none yet.'),
})
export type ServiceStatusJson = z.infer<typeof serviceStatus>
