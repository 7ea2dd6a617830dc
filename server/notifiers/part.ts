import type { UsageMeter } from '../accounts/usage.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/open.ts'
import type { WriteQueue } from '../db/write-queue.ts'
import { alsoTrusting } from '../fetching/verified-tls.ts'
import type { Log } from '../logging/log.ts'
import type { Counter } from '../monitoring/metrics.ts'
import type { Sealing } from '../sites/sealing.ts'
import type { Clock } from '../time/clock.ts'
import { openAttemptStore } from './attempt-store.ts'
import { openTargetCheck } from './check-target.ts'
import { type Deliverer, openDeliverer } from './deliverer.ts'
import type { DeliveryStore } from './delivery-store.ts'
import type { EventStore } from './event-store.ts'
import type { NotifierMessage } from './notifier.ts'
import { openNotifierStore } from './notifier-store.ts'
import { type Notifiers, openNotifiers } from './notifiers.ts'
import { openMailer } from './sending/mail.ts'
import { messageLinks } from './sending/message-links.ts'
import { openSend } from './sending/send.ts'

export interface NotifierPartOptions {
  readonly db: Database
  readonly writes: WriteQueue
  readonly deliveries: DeliveryStore
  readonly events: EventStore
  readonly usage: UsageMeter
  readonly sealing: Sealing
  readonly clock: Clock
  readonly log: Log
  /** The settings of a time. */
  config(): Pick<Config, 'ca' | 'smtp' | 'baseUrl' | 'allowNetworks'>
  /** Counts attempts by the status that they gave their delivery. */
  readonly countAttempt: Counter
  /** The JSON of a message, whose links lead to an origin. */
  bodyOf(message: NotifierMessage, origin: string): string
  /** The link to the page for receivers of a job's archive; null when that page would have nothing to show. */
  shareUrlOf(jobId: string, origin: string): string | null
}

/** What users do with notifiers, and the deliverer that sends what they tell. */
export interface NotifierPart {
  readonly deliverer: Deliverer
  readonly notifiers: Notifiers
  /** The same for webhooks, and for no other notifiers. */
  readonly webhooks: Notifiers
}

export function openNotifierPart(options: NotifierPartOptions): NotifierPart {
  const { db, clock, sealing, config, bodyOf, shareUrlOf } = options
  const originOf = (message: NotifierMessage) => config().baseUrl ?? message.origin
  const deliverer = openDeliverer({
    ...options,
    store: openAttemptStore(db),
    ca: config().ca,
    send: openSend({
      sealing,
      mailer() {
        const { smtp, ca } = config()
        return smtp === null ? null : openMailer(smtp, alsoTrusting(ca).ca)
      },
      clock,
      bodyOf: (message) => bodyOf(message, originOf(message)),
      linksOf: (message) => messageLinks(message, shareUrlOf, originOf(message)),
    }),
  })
  const forUsers = {
    ...options,
    store: openNotifierStore(db),
    checkTarget: openTargetCheck(config),
    wake: deliverer.wake,
  }
  return {
    deliverer,
    notifiers: openNotifiers(forUsers, null),
    webhooks: openNotifiers(forUsers, 'webhook'),
  }
}
