import { invalidField, type ServiceError } from '../../errors.ts'
import type { Delivery, Notifier, NotifierWithSecret } from '../../notifiers/notifier.ts'
import type { NewNotifier, NotifierChanges } from '../../notifiers/notifiers.ts'
import { isTopicUrl } from '../../notifiers/ntfy-topic.ts'
import type { NotifierEvent, NotifierOccasion } from '../../vocabulary.ts'
import { iso, isoOrNull } from '../json.ts'
import type {
  ChangeNotifierBody,
  CreateNotifierBody,
  DeliveryJson,
  NewNotifierJson,
  NotifierJson,
} from './schemas.ts'

// Maps notifiers to the domain and back, and their deliveries to JSON.

export function toNewNotifier(body: CreateNotifierBody, origin: string): NewNotifier {
  return {
    kind: body.kind,
    target: body.kind === 'email' ? body.to : body.url,
    token: body.kind === 'ntfy' ? (body.token ?? null) : null,
    events: body.on == null ? null : eventsOf(body.on),
    origin,
  }
}

/** `INVALID_REQUEST` for a field of another kind. */
export function toNotifierChanges(kind: Notifier['kind'], body: ChangeNotifierBody): NotifierChanges {
  const { url, to, token, on } = body
  if (url != null && kind === 'email') throw foreign('url', kind)
  if (to != null && kind !== 'email') throw foreign('to', kind)
  if (token != null && kind !== 'ntfy') throw foreign('token', kind)
  if (url != null && kind === 'ntfy' && !isTopicUrl(url))
    throw invalidField('url', 'must be the URL of a topic')
  const target = url ?? to
  return {
    ...(target != null && { target }),
    ...(token !== undefined && kind === 'ntfy' && { token }),
    ...(on != null && { events: eventsOf(on) }),
  }
}

export function notifierToJson(notifier: Notifier): NotifierJson {
  const { kind, target, hasToken } = notifier
  const every = {
    id: notifier.id,
    on: OCCASIONS.filter(([, events]) => events.some((event) => notifier.events.includes(event))).map(
      ([occasion]) => occasion,
    ),
    status: notifier.disabledAt === null ? ('active' as const) : ('disabled' as const),
    disabled_at: isoOrNull(notifier.disabledAt),
    disabled_reason: notifier.disabledReason,
    created_at: iso(notifier.createdAt),
  }
  if (kind === 'email') return { kind, to: target, ...every }
  return kind === 'ntfy'
    ? { kind, url: target, has_token: hasToken, ...every }
    : { kind, url: target, ...every }
}

export function newNotifierToJson(notifier: NotifierWithSecret): NewNotifierJson {
  const json = notifierToJson(notifier)
  return json.kind === 'webhook' ? { ...json, secret: notifier.secret ?? '' } : json
}

export function deliveryToJson(delivery: Delivery): DeliveryJson {
  return {
    id: delivery.id,
    type: delivery.type,
    job_id: delivery.jobId,
    status: delivery.status,
    attempts: delivery.attempts,
    response_status: delivery.responseStatus,
    error: delivery.error,
    created_at: iso(delivery.createdAt),
    last_attempt_at: isoOrNull(delivery.lastAttemptAt),
    next_attempt_at: isoOrNull(delivery.nextAttemptAt),
  }
}

function eventsOf(on: readonly NotifierOccasion[]): NotifierEvent[] {
  return OCCASIONS.flatMap(([occasion, events]) => (on.includes(occasion) ? events : []))
}

/** Which events people mean. */
const OCCASIONS: readonly (readonly [NotifierOccasion, readonly NotifierEvent[]])[] = [
  ['completed', ['job.completed']],
  ['failed', ['job.failed', 'schedule.paused']],
  ['changed', ['job.changed']],
]

function foreign(path: string, kind: string): ServiceError {
  return invalidField(path, `is not a field of this notifier, whose kind is ${kind}`)
}
