import { and, asc, count, desc, eq, inArray, isNotNull, notExists, sql } from 'drizzle-orm'
import { notifierDeliveries, notifierEvents, notifierOldSecrets, notifiers } from '../db/notifier-schema.ts'
import type { Database, Tx } from '../db/open.ts'
import { MAX_DELETED_BYTES, withinBytes } from '../db/within-bytes.ts'
import { type ListPlace, NEWEST } from '../paging.ts'
import type { NotifierEvent, NotifierKind } from '../vocabulary.ts'
import type { Notifier, NotifierWithSecret } from './notifier.ts'

/** The notifiers of users. A `kind` that is null means all kinds. */
export type NotifierStore = ReturnType<typeof openNotifierStore>

/** The settings of a notifier that is about to be created. */
export interface NotifierToCreate
  extends Pick<NotifierWithSecret, 'id' | 'kind' | 'target' | 'events' | 'secret' | 'createdAt'> {
  readonly userId: string
  readonly origin: string
  readonly sealedToken: Buffer | null
}

/** What an owner changes. */
export interface StoredChanges {
  readonly target?: string
  readonly sealedToken?: Buffer | null
  readonly events?: readonly NotifierEvent[]
}

export function openNotifierStore(db: Database) {
  const { orm } = db
  const id = sql.placeholder('id')
  const userId = sql.placeholder('userId')
  const kind = sql.placeholder('kind')
  const isOfKind = sql`(${kind} IS NULL OR ${notifiers.kind} = ${kind})`
  const ofUser = and(eq(notifiers.userId, userId), isOfKind)
  const olderThan = sql`(${notifiers.createdAt}, ${notifiers.id}) < (${sql.placeholder('createdAt')}, ${id})`
  const page = orm
    .select(NOTIFIER_COLUMNS)
    .from(notifiers)
    .where(and(ofUser, olderThan))
    .orderBy(desc(notifiers.createdAt), desc(notifiers.id))
    .limit(sql.placeholder('limit'))
    .prepare()
  const total = orm.select({ total: count() }).from(notifiers).where(ofUser).prepare()
  const countOf = (owner: string, ofKind: NotifierKind | null) =>
    total.get({ userId: owner, kind: ofKind })?.total ?? 0
  const one = orm
    .select(NOTIFIER_COLUMNS)
    .from(notifiers)
    .where(and(eq(notifiers.id, id), ofUser))
    .prepare()
  const nextDeliveries = orm
    .select({
      id: notifierDeliveries.id,
      eventId: notifierDeliveries.eventId,
      bytes: notifierEvents.databaseBytes,
    })
    .from(notifierDeliveries)
    .innerJoin(notifierEvents, eq(notifierEvents.id, notifierDeliveries.eventId))
    .where(eq(notifierDeliveries.notifierId, id))
    .orderBy(asc(notifierDeliveries.createdAt), asc(notifierDeliveries.id))
    .limit(MAX_DELETED_DELIVERIES)
    .prepare()
  return {
    /** Adds a notifier and returns true, unless the user already has `maxNotifiers`. */
    addWithin(maxNotifiers: number, notifier: NotifierToCreate): boolean {
      return db.durably((tx) => {
        if (countOf(notifier.userId, null) >= maxNotifiers) return false
        tx.insert(notifiers).values(notifier).run()
        return true
      })
    },
    /** Newest first. */
    page(owner: string, ofKind: NotifierKind | null, after: ListPlace | null, limit: number): Notifier[] {
      return page.all({ userId: owner, kind: ofKind, limit, ...(after ?? NEWEST) })
    },
    count: countOf,
    /** Null when the user has no such notifier. */
    find: (owner: string, notifierId: string, ofKind: NotifierKind | null): Notifier | null =>
      one.get({ userId: owner, id: notifierId, kind: ofKind }) ?? null,
    /** Changes a notifier, and makes it active again. False when the user has no such notifier. */
    change(owner: string, notifierId: string, changes: StoredChanges): boolean {
      return db.durably((tx) => {
        const where = and(eq(notifiers.id, notifierId), eq(notifiers.userId, owner))
        const changed = tx
          .update(notifiers)
          .set({ ...changes, ...ACTIVE })
          .where(where)
          .returning({ id: notifiers.id })
        return changed.get() !== undefined
      })
    },
    /** Replaces the secret; the one before signs, too, until a time. False when the user has no such webhook. */
    rotate({ id: notifierId, userId: owner, secret, signsUntil }: Rotation): boolean {
      return db.durably((tx) => {
        const isWebhook = and(
          eq(notifiers.id, notifierId),
          eq(notifiers.userId, owner),
          eq(notifiers.kind, 'webhook'),
        )
        const before = tx.select({ secret: notifiers.secret }).from(notifiers).where(isWebhook).get()
        if (before === undefined || before.secret === null) return false
        tx.insert(notifierOldSecrets).values({ notifierId, secret: before.secret, signsUntil }).run()
        const ofNotifier = eq(notifierOldSecrets.notifierId, notifierId)
        const oldest = tx
          .select({ secret: notifierOldSecrets.secret })
          .from(notifierOldSecrets)
          .where(ofNotifier)
          .orderBy(desc(notifierOldSecrets.signsUntil), sql`rowid DESC`)
          .limit(Number.MAX_SAFE_INTEGER)
          .offset(MAX_OLD_SECRETS)
        tx.delete(notifierOldSecrets)
          .where(and(ofNotifier, inArray(notifierOldSecrets.secret, oldest)))
          .run()
        tx.update(notifiers).set({ secret }).where(eq(notifiers.id, notifierId)).run()
        return true
      })
    },
    /** Makes a disabled notifier active again. */
    enable(tx: Tx, notifierId: string): void {
      tx.update(notifiers)
        .set(ACTIVE)
        .where(and(eq(notifiers.id, notifierId), isNotNull(notifiers.disabledAt)))
        .run()
    },
    /**
     * Deletes a batch of the deliveries of a notifier, and their events unless other notifiers have deliveries of them; with the
     * last batch the notifier. False when nothing is left.
     */
    deleteSome(notifierId: string): boolean {
      return db.freeing((tx) => {
        const next = nextDeliveries.all({ id: notifierId })
        const batch = withinBytes(next, MAX_DELETED_BYTES)
        const ids = batch.map((delivery) => delivery.id)
        const eventIds = batch.map((delivery) => delivery.eventId)
        tx.delete(notifierDeliveries).where(inArray(notifierDeliveries.id, ids)).run()
        const ofEvent = tx
          .select({ id: notifierDeliveries.id })
          .from(notifierDeliveries)
          .where(eq(notifierDeliveries.eventId, notifierEvents.id))
        tx.delete(notifierEvents)
          .where(and(inArray(notifierEvents.id, eventIds), notExists(ofEvent)))
          .run()
        if (batch.length < next.length || next.length === MAX_DELETED_DELIVERIES) return true
        tx.delete(notifiers).where(eq(notifiers.id, notifierId)).run()
        return false
      })
    },
  }
}

type Rotation = {
  readonly id: string
  readonly userId: string
  readonly secret: string
  readonly signsUntil: number
}

const NOTIFIER_COLUMNS = {
  id: notifiers.id,
  kind: notifiers.kind,
  target: notifiers.target,
  hasToken: sql`${notifiers.sealedToken} IS NOT NULL`.mapWith(Boolean),
  events: notifiers.events,
  createdAt: notifiers.createdAt,
  disabledAt: notifiers.disabledAt,
  disabledReason: notifiers.disabledReason,
}

const ACTIVE = { disabledAt: null, disabledReason: null, failingSince: null }

/** A client that gets no response rotates again, and its receivers still have a secret from before that. */
const MAX_OLD_SECRETS = 9
/** The most deliveries that one transaction deletes, each with its event, in a few milliseconds. */
const MAX_DELETED_DELIVERIES = 500
