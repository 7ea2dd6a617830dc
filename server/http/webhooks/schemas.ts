import { z } from 'zod'
import { DELIVERY_STATUSES, DISABLED_REASONS, MESSAGE_TYPES, WEBHOOK_EVENTS } from '../../vocabulary.ts'
import { dateTime, described, uuidParams } from '../field-schemas.ts'
import { sourceUrl } from '../jobs/request-schemas.ts'
import { failure, jobStatus, urlError } from '../jobs/schemas.ts'

// What clients send about webhooks, what the service responds, and what it sends to receivers.

export const createWebhookBody = z.object({
  url: described(
    sourceUrl,
    'Where messages are posted. Must be https, except for addresses that the service allows by --allow-network.',
  ),
  events: described(
    z.nullish(z.array(z.enum(WEBHOOK_EVENTS)).check(z.minLength(1), z.maxLength(WEBHOOK_EVENTS.length))),
    'What the webhook is notified of. Default: all.',
  ),
})
export type CreateWebhookBody = z.infer<typeof createWebhookBody>

export const deliveryParams = uuidParams.extend({ delivery_id: z.guid().check(z.toLowerCase()) })

export const webhook = z.object({
  id: z.uuid(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  status: described(
    z.enum(['active', 'disabled']),
    'A test or a redelivery makes a disabled webhook active.',
  ),
  disabled_at: z.nullable(dateTime),
  disabled_reason: described(
    z.nullable(z.enum(DISABLED_REASONS)),
    'gone: the receiver responded 410. no_success: no delivery succeeded for five days.',
  ),
  created_at: dateTime,
})
export type WebhookJson = z.infer<typeof webhook>

export const webhookWithSecret = webhook.extend({
  secret: described(z.string(), 'whsec_ and the base64 of 32 bytes. Shown only on create and rotate.'),
})
export type WebhookWithSecretJson = z.infer<typeof webhookWithSecret>

export const delivery = z.object({
  id: described(z.uuid(), 'The webhook-id of each attempt.'),
  type: z.enum(MESSAGE_TYPES),
  job_id: described(z.nullable(z.uuid()), 'Null for a ping.'),
  status: z.enum(DELIVERY_STATUSES),
  attempts: z.int(),
  response_status: described(z.nullable(z.int()), 'Of the last attempt; null when there was no response.'),
  error: described(z.nullable(z.string()), 'Why the last attempt failed.'),
  created_at: dateTime,
  last_attempt_at: z.nullable(dateTime),
  next_attempt_at: described(z.nullable(dateTime), 'Null unless the delivery is pending.'),
})
export type DeliveryJson = z.infer<typeof delivery>

const jobEnd = z.object({
  job_id: z.uuid(),
  status: jobStatus,
  url_count: z.int(),
  file_count: z.int(),
  zip_size: z.int(),
  error_count: z.int(),
  errors: described(z.array(urlError), 'The first 100, in URL order.'),
  failure: z.nullable(failure),
  download_url: described(z.nullable(z.url()), 'Null when there is no archive, or no longer one.'),
  expires_at: z.nullable(dateTime),
  metadata: z.record(z.string(), z.string()),
})

const ping = z.object({ webhook_id: z.uuid() })

/** The body of an attempt. */
export const webhookMessage = z.object({
  type: z.enum(MESSAGE_TYPES),
  timestamp: described(dateTime, 'When it happened.'),
  data: described(
    z.union([jobEnd, ping]),
    'The job as it was when it ended. A ping has only the id of the webhook.',
  ),
})
export type WebhookMessageJson = z.infer<typeof webhookMessage>
