import type { UsageMeter } from '../accounts/usage.ts'
import type { Database } from '../db/open.ts'
import type { WriteQueue } from '../db/write-queue.ts'
import type { LiveProgress } from '../jobs/progress.ts'
import type { Log } from '../logging/log.ts'
import type { Counter } from '../monitoring/metrics.ts'
import type { Sealing } from '../sites/sealing.ts'
import type { Clock } from '../time/clock.ts'
import type { AttemptStore } from './attempt-store.ts'
import { type AllowedTargets, openTargetCheck } from './check-target.ts'
import { openDeliverer } from './deliverer.ts'
import type { DeliveryStore } from './delivery-store.ts'
import type { EventStore } from './event-store.ts'
import type { NotifierStore } from './notifier-store.ts'
import { openNotifiers } from './notifiers.ts'
import { openSend, type SendOptions } from './sending/send.ts'

export interface NotifyingOptions extends Pick<SendOptions, 'bodyOf' | 'shareUrlOf'> {
  readonly db: Database
  readonly attempts: AttemptStore
  readonly notifiers: NotifierStore
  readonly deliveries: DeliveryStore
  readonly events: EventStore
  readonly writes: WriteQueue
  readonly live: LiveProgress
  readonly usage: UsageMeter
  readonly sealing: Sealing
  readonly clock: Clock
  readonly log: Log
  /** The settings of a time. */
  config(): ReturnType<SendOptions['config']> & AllowedTargets
  /** Counts attempts by the status that they gave their delivery. */
  readonly countAttempt: Counter
}

/** What tells users of the ends of jobs: the deliverer, and what users do with the notifiers of a kind. */
export function openNotifying(options: NotifyingOptions) {
  const { db, deliveries, usage, sealing, clock, config } = options
  const deliverer = openDeliverer({
    store: options.attempts,
    writes: options.writes,
    live: options.live,
    clock,
    log: options.log,
    ca: config().ca,
    countAttempt: options.countAttempt,
    send: openSend({ sealing, clock, config, bodyOf: options.bodyOf, shareUrlOf: options.shareUrlOf }),
  })
  const notifiersOf = openNotifiers({
    db,
    store: options.notifiers,
    deliveries,
    events: options.events,
    usage,
    sealing,
    clock,
    checkTarget: openTargetCheck(config),
    wake: deliverer.wake,
  })
  return { deliverer, notifiersOf }
}
