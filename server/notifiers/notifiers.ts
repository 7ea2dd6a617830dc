// server/decisions/notifiers.md says when messages are attempted, and when a notifier ends.

import type { UsageMeter } from '../accounts/usage.ts'
import type { User } from '../accounts/user.ts'
import type { Database } from '../db/open.ts'
import { runInBatches } from '../db/run-in-batches.ts'
import { ServiceError } from '../errors.ts'
import { decodeCursor, type PageRequest, pageOf } from '../paging.ts'
import type { Sealing } from '../sites/sealing.ts'
import type { Clock } from '../time/clock.ts'
import { NOTIFIER_EVENTS, type NotifierEvent, type NotifierKind } from '../vocabulary.ts'
import type { CheckTarget } from './check-target.ts'
import type { DeliveryStore } from './delivery-store.ts'
import type { EventStore } from './event-store.ts'
import type { Delivery, Notifier, NotifierWithSecret } from './notifier.ts'
import type { NotifierStore } from './notifier-store.ts'
import { tokenContextOf } from './sending/ntfy.ts'
import { generateSecret } from './sending/signing.ts'

export interface NotifiersOptions {
  readonly db: Database
  readonly store: NotifierStore
  readonly deliveries: DeliveryStore
  readonly events: Pick<EventStore, 'pinged'>
  readonly usage: Pick<UsageMeter, 'assertRowsWithinLimit'>
  readonly sealing: Sealing
  readonly clock: Clock
  readonly checkTarget: CheckTarget
  /** Called when a delivery is due now. */
  wake(): void
}

/** A validated request for a notifier. */
export interface NewNotifier {
  readonly kind: NotifierKind
  readonly target: string
  /** For an ntfy server. */
  readonly token: string | null
  /** Null for every end of a job and of a schedule. */
  readonly events: readonly NotifierEvent[] | null
  /** The origin by which the client has reached the service. */
  readonly origin: string
}

/** What an owner changes: what is missing stays as it is. A token that is null is taken away. */
export interface NotifierChanges {
  readonly target?: string
  readonly token?: string | null
  readonly events?: readonly NotifierEvent[]
}

export interface NotifierPage {
  readonly notifiers: readonly Notifier[]
  readonly total: number
  /** Null at the end of the list. */
  readonly nextCursor: string | null
}

export interface DeliveryPage {
  readonly deliveries: readonly Delivery[]
  readonly total: number
  /** Null at the end of the list. */
  readonly nextCursor: string | null
}

export type Notifiers = ReturnType<ReturnType<typeof openNotifiers>>

/**
 * The operations of a user on notifiers of a kind, or of all kinds when it is null. Notifiers of other users are `NOT_FOUND`, as if
 * they did not exist.
 */
export function openNotifiers(options: NotifiersOptions) {
  return (kind: NotifierKind | null) => operationsOn(kind, options)
}

function operationsOn(kind: NotifierKind | null, options: NotifiersOptions) {
  const { db, store, deliveries, events, sealing, clock } = options

  function found(userId: string, notifierId: string): Notifier {
    const notifier = store.find(userId, notifierId, kind)
    if (notifier === null) throw new ServiceError('NOT_FOUND', `There is no such ${kind ?? 'notifier'}.`)
    return notifier
  }

  const seal = (notifier: Pick<Notifier, 'id' | 'target'>, token: string | null) =>
    token === null ? null : sealing.seal(token, tokenContextOf(notifier))

  function foundDelivery(notifierId: string, deliveryId: string): Delivery {
    const delivery = deliveries.find(notifierId, deliveryId)
    if (delivery === null) throw new ServiceError('NOT_FOUND', 'There is no such delivery.')
    return delivery
  }

  return {
    /** `INVALID_REQUEST` when nothing could be sent there, `PLAN_LIMIT_EXCEEDED` when the user has too many notifiers. */
    create(userId: string, { kind, target, token, events, origin }: NewNotifier): NotifierWithSecret {
      options.checkTarget(kind, target)
      const id = Bun.randomUUIDv7()
      const notifier = {
        id,
        userId,
        kind,
        target,
        origin,
        events: events === null ? DEFAULT_EVENTS : ordered(events),
        secret: kind === 'webhook' ? generateSecret() : null,
        sealedToken: seal({ id, target }, token),
        createdAt: clock(),
      }
      if (!store.addWithin(MAX_NOTIFIERS, notifier)) throw tooManyNotifiers()
      return { ...found(userId, notifier.id), secret: notifier.secret }
    },
    /** A page of the user's notifiers, newest first. */
    list(userId: string, { cursor, limit }: PageRequest): NotifierPage {
      const list = `${kind ?? 'notifier'}s of ${userId}`
      const after = cursor === null ? null : decodeCursor(list, cursor)
      const { items, nextCursor } = pageOf(list, store.page(userId, kind, after, limit + 1), limit)
      return { notifiers: items, total: store.count(userId, kind), nextCursor }
    },
    get: found,
    /**
     * Changes a notifier, and makes it active. `INVALID_REQUEST` when nothing could be sent to the new target, or when it would get
     * the token of the old one.
     */
    change(userId: string, notifierId: string, { target, token, events }: NotifierChanges): Notifier {
      const notifier = found(userId, notifierId)
      const isElsewhere = target !== undefined && target !== notifier.target
      if (isElsewhere) options.checkTarget(notifier.kind, target)
      if (isElsewhere && notifier.hasToken && token === undefined) throw tokenNeeded()
      const changes = {
        ...(target !== undefined && { target }),
        ...(token !== undefined && { sealedToken: seal({ ...notifier, ...(target && { target }) }, token) }),
        ...(events !== undefined && { events: ordered(events) }),
      }
      if (Object.keys(changes).length > 0) store.change(userId, notifierId, changes)
      return found(userId, notifierId)
    },
    /** Gives the notifier a new secret. The old one signs, too, for a day. */
    rotate(userId: string, notifierId: string): NotifierWithSecret {
      const secret = generateSecret()
      const signsUntil = clock() + OLD_SECRET_MS
      const isRotated = store.rotate({ id: notifierId, userId, secret, signsUntil })
      const notifier = found(userId, notifierId)
      if (!isRotated) throw new Error('a notifier that exists could not be rotated')
      return { ...notifier, secret }
    },
    /** Deletes the notifier and its deliveries, in batches. */
    async remove(userId: string, notifierId: string): Promise<void> {
      found(userId, notifierId)
      await runInBatches(async () => store.deleteSome(notifierId))
    },
    /** Sends a `ping` soon. A disabled notifier becomes active again. `PLAN_LIMIT_EXCEEDED` when the user's rows take too much. */
    test(user: User, notifierId: string): Delivery {
      const { id: userId } = user
      found(userId, notifierId)
      options.usage.assertRowsWithinLimit(user)
      const id = Bun.randomUUIDv7()
      db.transaction((tx) => {
        store.enable(tx, notifierId)
        events.pinged(tx, id, { id: notifierId, userId }, clock())
      })
      options.wake()
      return foundDelivery(notifierId, id)
    },
    /** A page of the deliveries of a notifier, newest first. */
    listDeliveries(userId: string, notifierId: string, { cursor, limit }: PageRequest): DeliveryPage {
      found(userId, notifierId)
      const list = `deliveries of ${notifierId}`
      const after = cursor === null ? null : decodeCursor(list, cursor)
      const { items, nextCursor } = pageOf(list, deliveries.page(notifierId, after, limit + 1), limit)
      return { deliveries: items, total: deliveries.count(notifierId), nextCursor }
    },
    /** Sends a delivery again soon, even one that was delivered, and counts its attempts from 0. A disabled notifier becomes active. */
    redeliver(userId: string, notifierId: string, deliveryId: string): Delivery {
      found(userId, notifierId)
      foundDelivery(notifierId, deliveryId)
      db.transaction((tx) => {
        store.enable(tx, notifierId)
        deliveries.restart(tx, deliveryId, clock())
      })
      options.wake()
      return foundDelivery(notifierId, deliveryId)
    },
  }
}

function ordered(events: readonly NotifierEvent[]): NotifierEvent[] {
  return NOTIFIER_EVENTS.filter((event) => events.includes(event))
}

/** Otherwise, somebody with a stolen key could have the token sent to a server of theirs. */
function tokenNeeded(): ServiceError {
  return new ServiceError('INVALID_REQUEST', 'Enter the token again: this change sends it elsewhere.', [
    { path: 'token', message: 'must be given anew, or null, with another url' },
  ])
}

function tooManyNotifiers(): ServiceError {
  return new ServiceError(
    'PLAN_LIMIT_EXCEEDED',
    `On every plan, a user may have ${MAX_NOTIFIERS} webhooks and other notifiers, and you have that many. Delete one that you no longer use.`,
  )
}

/** `job.changed` adds nothing to `job.completed`. */
const DEFAULT_EVENTS = NOTIFIER_EVENTS.filter((event) => event !== 'job.changed')

/** Each job that ends has a delivery per notifier, so this limits the deliveries, too. */
const MAX_NOTIFIERS = 20

/** How long the old secret signs, too, after a rotation: time to configure the new one everywhere. */
const OLD_SECRET_MS = 24 * 3_600_000
