import { z } from 'zod'
import { DISABLED_REASONS, MESSAGE_TYPES, NOTIFIER_EVENTS } from '../../vocabulary.ts'
import { failure, jobStatus } from '../jobs/schemas.ts'
import { sourceUrl } from '../jobs/source-schemas.ts'
import { urlError } from '../jobs/url-error-schema.ts'
import { dateTime, runChanges } from '../schemas.ts'

// What clients send about webhooks, what the service responds, and what it sends to receivers.

export const createWebhookBody = z.object({
  url: sourceUrl.describe(
    'Where messages are posted. Must be https, except for addresses that the service allows by --allow-network.',
  ),
  events: z
    .array(z.enum(NOTIFIER_EVENTS))
    .min(1)
    .max(NOTIFIER_EVENTS.length)
    .nullish()
    .describe(
      'What the webhook is notified of. Default: all. job.changed is the job.completed of a scheduled archive whose files differ from the previous one, for webhooks that leave the others out.',
    ),
})

export const webhook = z.object({
  id: z.uuid(),
  url: z.string(),
  events: z.array(z.enum(NOTIFIER_EVENTS)),
  status: z.enum(['active', 'disabled']).describe('A test or a redelivery makes a disabled webhook active.'),
  disabled_at: dateTime.nullable(),
  disabled_reason: z
    .enum(DISABLED_REASONS)
    .nullable()
    .describe('gone: the receiver responded 410. no_success: no delivery succeeded for five days.'),
  created_at: dateTime,
})
export type WebhookJson = z.infer<typeof webhook>

export const webhookWithSecret = webhook.extend({
  secret: z.string().describe('whsec_ and the base64 of 32 bytes. Shown only on create and rotate.'),
})
export type WebhookWithSecretJson = z.infer<typeof webhookWithSecret>

const jobEnd = z.object({
  job_id: z.uuid(),
  status: jobStatus,
  url_count: z.int(),
  file_count: z.int(),
  zip_size: z.int(),
  warning_count: z.int(),
  error_count: z.int(),
  errors: z.array(urlError).describe('The first 100, in URL order.'),
  failure: failure.nullable(),
  download_url: z.url().nullable().describe('Null when there is no archive, or no longer one.'),
  expires_at: dateTime.nullable(),
  metadata: z.record(z.string(), z.string()),
  schedule_id: z.uuid().optional().describe('Of a run of a schedule.'),
  changes: runChanges.optional().describe('Of a completed run of a schedule.'),
})

const schedulePaused = z.object({
  schedule_id: z.uuid(),
  name: z.string(),
  status: z.literal('paused'),
  reason: z.string().describe('Why, as a sentence.'),
  failed_runs: z.int().describe('How many runs in a row have failed.'),
})

const ping = z.object({ webhook_id: z.uuid() })

/** The body of an attempt. */
export const webhookMessage = z.object({
  type: z.enum(MESSAGE_TYPES),
  timestamp: dateTime.describe('When it happened.'),
  data: z
    .union([jobEnd, schedulePaused, ping])
    .describe('The job as it was when it ended, or the schedule. A ping has only the id of the webhook.'),
})
export type WebhookMessageJson = z.infer<typeof webhookMessage>
