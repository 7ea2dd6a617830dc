import { and, count, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, ne, or, sql } from 'drizzle-orm'
import type { User } from '../accounts/user.ts'
import type { Database } from '../db/open.ts'
import { prepareLater } from '../db/prepare-later.ts'
import { apiKeys, users } from '../db/schema.ts'

/** A key as its owner sees it. The secret itself is not stored. Times are milliseconds since the epoch. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
  /** Whether a browser got it by signing in. */
  readonly isBrowser: boolean
}

/** A key without a last use. `maxIdleMs` makes it the key of a browser, which ends that long after its last use. */
type KeyToAdd = Omit<ApiKey, 'lastUsedAt' | 'isBrowser'> & { readonly maxIdleMs?: number }

/** Who makes a request, and with which key. */
export interface Caller {
  readonly user: User
  readonly keyId: string
}

/** The most keys that one transaction deletes, so that other writers need not wait long. */
const MAX_DELETED_KEYS = 1_000

export type ApiKeyStore = ReturnType<typeof openApiKeyStore>

export function openApiKeyStore(db: Database) {
  const { orm } = db
  const now = sql.placeholder('now')
  const id = sql.placeholder('id')
  const userId = sql.placeholder('userId')

  const insert = prepareLater(() =>
    orm
      .insert(apiKeys)
      .values({
        id,
        userId,
        name: sql.placeholder('name'),
        digest: sql.placeholder('digest'),
        prefix: sql.placeholder('prefix'),
        createdAt: sql.placeholder('createdAt'),
        expiresAt: sql.placeholder('expiresAt'),
        maxIdleMs: sql.placeholder('maxIdleMs'),
      })
      .onConflictDoNothing({ target: apiKeys.digest })
      .prepare(),
  )
  const isInForce = and(isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)))
  const callerByDigest = prepareLater(() =>
    orm
      .select({ keyId: apiKeys.id, user: { id: users.id, name: users.name, plan: users.plan } })
      .from(apiKeys)
      .innerJoin(users, eq(users.id, apiKeys.userId))
      .where(and(eq(apiKeys.digest, sql.placeholder('digest')), isInForce))
      .prepare(),
  )
  const inForce = prepareLater(() =>
    orm
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .where(and(eq(apiKeys.id, id), isInForce))
      .prepare(),
  )
  const ofUser = prepareLater(() =>
    orm
      .select({
        id: apiKeys.id,
        name: apiKeys.name,
        prefix: apiKeys.prefix,
        createdAt: apiKeys.createdAt,
        expiresAt: apiKeys.expiresAt,
        lastUsedAt: apiKeys.lastUsedAt,
        maxIdleMs: apiKeys.maxIdleMs,
      })
      .from(apiKeys)
      .where(and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt)))
      .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
      .prepare(),
  )
  const revoke = prepareLater(() =>
    orm
      .update(apiKeys)
      .set({ revokedAt: sql`${now}` })
      .where(and(eq(apiKeys.id, id), eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt)))
      .returning({ id: apiKeys.id })
      .prepare(),
  )
  const countOfUser = prepareLater(() =>
    orm
      .select({ total: count() })
      .from(apiKeys)
      .where(and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt)))
      .prepare(),
  )
  const deleteExpiredSessions = prepareLater(() =>
    orm
      .delete(apiKeys)
      .where(and(eq(apiKeys.userId, userId), isNotNull(apiKeys.maxIdleMs), lte(apiKeys.expiresAt, now)))
      .prepare(),
  )
  const touch = prepareLater(() =>
    orm
      .update(apiKeys)
      .set({
        lastUsedAt: sql`${now}`,
        expiresAt: sql`CASE WHEN ${apiKeys.maxIdleMs} IS NULL THEN ${apiKeys.expiresAt} ELSE ${now} + ${apiKeys.maxIdleMs} END`,
      })
      .where(eq(apiKeys.id, id))
      .prepare(),
  )

  return {
    /** Adds a key and returns true, unless the user already has `maxKeys`, not counting revoked keys. */
    addWithin(maxKeys: number, ownerId: string, digest: Buffer, key: KeyToAdd): boolean {
      return db.durably(() => {
        if ((countOfUser.get({ userId: ownerId })?.total ?? 0) >= maxKeys) return false
        insert.run({ maxIdleMs: null, ...key, userId: ownerId, digest })
        return true
      })
    },
    /** Deletes the keys of browsers that were not used for too long. Call it inside a transaction. */
    deleteExpiredSessions(ownerId: string, at: number): void {
      deleteExpiredSessions.run({ userId: ownerId, now: at })
    },
    /** Does nothing when a key with this digest exists, even if it is revoked. */
    add(ownerId: string, digest: Buffer, key: KeyToAdd): void {
      db.durably(() => insert.run({ maxIdleMs: null, ...key, userId: ownerId, digest }))
    },
    /** Null when no valid key has this digest. */
    callerWith(digest: Buffer, at: number): Caller | null {
      return callerByDigest.get({ digest, now: at }) ?? null
    },
    isValid(keyId: string, at: number): boolean {
      return inForce.get({ id: keyId, now: at }) !== undefined
    },
    /** Newest first, without revoked keys. */
    listOf(ownerId: string): ApiKey[] {
      return ofUser
        .all({ userId: ownerId })
        .map(({ maxIdleMs, ...key }) => ({ ...key, isBrowser: maxIdleMs !== null }))
    },
    /** False when the user has no such key, or it was revoked before. */
    revoke(ownerId: string, keyId: string, at: number): boolean {
      return db.durably(() => revoke.get({ id: keyId, userId: ownerId, now: at })) !== undefined
    },
    /**
     * Deletes a batch of keys that were revoked before a time; false when none are left. Keeps the keys of the user
     * `exceptOf`, but not those of browsers: a key file may still contain one, and the next start must not make it valid again.
     */
    deleteSomeRevoked(time: number, exceptOf: string): boolean {
      const some = orm
        .select({ id: apiKeys.id })
        .from(apiKeys)
        .where(
          and(lt(apiKeys.revokedAt, time), or(ne(apiKeys.userId, exceptOf), isNotNull(apiKeys.maxIdleMs))),
        )
        .limit(MAX_DELETED_KEYS)
      const dropped = db.transaction(() =>
        orm.delete(apiKeys).where(inArray(apiKeys.id, some)).returning({ id: apiKeys.id }).all(),
      )
      return dropped.length === MAX_DELETED_KEYS
    },
    recordUses(usedAtByKey: ReadonlyMap<string, number>): void {
      db.transaction(() => {
        for (const [keyId, usedAt] of usedAtByKey) touch.run({ id: keyId, now: usedAt })
      })
    },
  }
}
