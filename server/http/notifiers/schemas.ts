import { z } from 'zod'
import { isTopicUrl } from '../../notifiers/ntfy-topic.ts'
import { REQUEST_LIMITS } from '../../request-limits.ts'
import { isMailAddress } from '../../text/mail-address.ts'
import {
  DELIVERY_STATUSES,
  DISABLED_REASONS,
  MESSAGE_TYPES,
  NOTIFIER_KINDS,
  NOTIFIER_OCCASIONS,
} from '../../vocabulary.ts'
import { sourceUrl } from '../jobs/source-schemas.ts'
import { dateTime, uuidParams } from '../schemas.ts'

// What clients send about notifiers and their deliveries, and what the service responds. No response has an access token.

const on = z
  .array(z.enum(NOTIFIER_OCCASIONS))
  .min(1)
  .max(NOTIFIER_OCCASIONS.length)
  .nullish()
  .describe(
    'completed: an archive is ready. changed: a scheduled archive is ready and its files differ from the previous one. failed: a job has ' +
      'failed, or a schedule was paused. Default: completed and failed.',
  )

const topicUrl = sourceUrl
  .refine(
    isTopicUrl,
    'must be the URL of a topic, as in https://ntfy.sh/my-topic, without a password or query',
  )
  .describe('The ntfy server and the topic, as in https://ntfy.sh/my-topic. https as for webhooks.')

const token = z
  .string()
  .regex(/^[!-~]+$/, 'must be printable ASCII without spaces')
  .max(REQUEST_LIMITS.accessTokenCharacters)
  .describe('An access token of the ntfy server, as in tk_... It is stored sealed, and no response has it.')

const to = z
  .string()
  .refine(isMailAddress, 'must be one e-mail address, as in ann@example.org')
  .meta({ format: 'email', maxLength: 254 })
  .describe('One e-mail address, in ASCII.')

const url = sourceUrl.describe('As for POST /webhooks.')

export const createNotifierBody = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('webhook'), url, on }),
  z.object({ kind: z.literal('ntfy'), url: topicUrl, token: token.nullish(), on }),
  z.object({ kind: z.literal('email'), to, on }),
])
export type CreateNotifierBody = z.infer<typeof createNotifierBody>

export const changeNotifierBody = z.object({
  url: sourceUrl
    .nullish()
    .describe('Of a webhook or a topic. Another one needs the token, too, if there is one.'),
  to: to.nullish(),
  token: token.nullish().describe('Of an ntfy server. Null takes it away.'),
  on,
})
export type ChangeNotifierBody = z.infer<typeof changeNotifierBody>

const every = {
  id: z.uuid(),
  on: z.array(z.enum(NOTIFIER_OCCASIONS)),
  status: z.enum(['active', 'disabled']).describe('A test or a change makes a disabled notifier active.'),
  disabled_at: dateTime.nullable(),
  disabled_reason: z
    .enum(DISABLED_REASONS)
    .nullable()
    .describe(
      'gone: the receiver responded 410, or the mail server refused the address for good. no_success: no delivery succeeded ' +
        'for five days.',
    ),
  created_at: dateTime,
}
const webhookNotifier = z.object({ kind: z.literal('webhook'), url: z.string(), ...every })
const ntfyNotifier = z.object({
  kind: z.literal('ntfy'),
  url: z.string(),
  has_token: z.boolean().describe('Whether an access token is sent.'),
  ...every,
})
const emailNotifier = z.object({ kind: z.literal('email'), to: z.string(), ...every })

export const notifier = z.discriminatedUnion('kind', [webhookNotifier, ntfyNotifier, emailNotifier])
export type NotifierJson = z.infer<typeof notifier>

export const newNotifier = z.discriminatedUnion('kind', [
  webhookNotifier.extend({
    secret: z.string().describe('whsec_ and the base64 of 32 bytes. Shown only now.'),
  }),
  ntfyNotifier,
  emailNotifier,
])
export type NewNotifierJson = z.infer<typeof newNotifier>

export const notifierKinds = z
  .array(z.enum(NOTIFIER_KINDS))
  .describe('What this service can send: email only with a mail server (--smtp).')

export const deliveryParams = uuidParams.extend({ delivery_id: z.guid().toLowerCase() })

export const delivery = z.object({
  id: z.uuid().describe('The webhook-id of each attempt.'),
  type: z.enum(MESSAGE_TYPES),
  job_id: z.uuid().nullable().describe('Null for a ping, and for a schedule.'),
  status: z.enum(DELIVERY_STATUSES),
  attempts: z.int(),
  response_status: z.int().nullable().describe('Of the last attempt; null when there was no response.'),
  error: z.string().nullable().describe('Why the last attempt failed.'),
  created_at: dateTime,
  last_attempt_at: dateTime.nullable(),
  next_attempt_at: dateTime.nullable().describe('Null unless the delivery is pending.'),
})
export type DeliveryJson = z.infer<typeof delivery>
