import { and, count, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { User } from '../accounts/user.ts'
import type { Database, Tx } from '../db/open.ts'
import { apiKeys, users } from '../db/schema.ts'
import { type ListPlace, NEWEST } from '../paging.ts'

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
type KeyToAdd = Omit<ApiKey, 'lastUsedAt' | 'isBrowser'> & {
  readonly maxIdleMs?: number
  readonly isFromFile?: boolean
}

/** Who makes a request, and with which key. */
export interface Caller {
  readonly user: User
  readonly keyId: string
  readonly keyName: string
}

/** The most keys that one transaction deletes, so that other writers need not wait long. */
const MAX_DELETED_KEYS = 1_000

export type ApiKeyStore = ReturnType<typeof openApiKeyStore>

export function openApiKeyStore(db: Database) {
  const { orm } = db
  const now = sql.placeholder('now')
  const id = sql.placeholder('id')
  const userId = sql.placeholder('userId')

  const isInForce = and(isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)))
  const callerByDigest = orm
    .select({
      keyId: apiKeys.id,
      keyName: apiKeys.name,
      user: { id: users.id, name: users.name, plan: users.plan },
    })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(and(eq(apiKeys.digest, sql.placeholder('digest')), isInForce))
    .prepare()
  const inForce = orm
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), isInForce))
    .prepare()
  const olderThan = sql`(${apiKeys.createdAt}, ${apiKeys.id}) < (${sql.placeholder('createdAt')}, ${id})`
  const ofUser = orm
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
    .where(and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt), olderThan))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
    .limit(sql.placeholder('limit'))
    .prepare()
  const countOfUser = orm
    .select({ total: count() })
    .from(apiKeys)
    .where(and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt)))
    .prepare()
  // Runs once per key that was used within a second: 6 µs when it is prepared, 90 when it is built.
  const touch = db.prepareWrite<null, { id: string; usedAt: number }>(
    `UPDATE api_keys SET last_used_at = $usedAt,
       expires_at = CASE WHEN max_idle_ms IS NULL THEN expires_at ELSE $usedAt + max_idle_ms END
     WHERE id = $id`,
  )

  function addWithin(tx: Tx, maxKeys: number, ownerId: string, digest: Buffer, key: KeyToAdd): boolean {
    if ((countOfUser.get({ userId: ownerId })?.total ?? 0) >= maxKeys) return false
    insert(tx, ownerId, digest, key)
    return true
  }

  return {
    /** Adds a key and returns true, unless the user already has `maxKeys`, not counting revoked keys. */
    addWithin: (maxKeys: number, ownerId: string, digest: Buffer, key: KeyToAdd): boolean =>
      db.durably((tx) => addWithin(tx, maxKeys, ownerId, digest, key)),
    /** The same for the key of a browser. Deletes the user's keys of browsers that were not used for too long. */
    addSessionWithin(tx: Tx, maxKeys: number, ownerId: string, digest: Buffer, key: KeyToAdd): boolean {
      tx.delete(apiKeys)
        .where(
          and(
            eq(apiKeys.userId, ownerId),
            isNotNull(apiKeys.maxIdleMs),
            lte(apiKeys.expiresAt, key.createdAt),
          ),
        )
        .run()
      return addWithin(tx, maxKeys, ownerId, digest, key)
    },
    /** Does nothing when a key with this digest exists, even if it is revoked. */
    add(ownerId: string, digest: Buffer, key: KeyToAdd): void {
      db.durably((tx) => insert(tx, ownerId, digest, key))
    },
    /** Null when no valid key has this digest. */
    callerWith(digest: Buffer, at: number): Caller | null {
      return callerByDigest.get({ digest, now: at }) ?? null
    },
    isValid(keyId: string, at: number): boolean {
      return inForce.get({ id: keyId, now: at }) !== undefined
    },
    /** Newest first, without revoked keys. */
    page(ownerId: string, after: ListPlace | null, limit: number): ApiKey[] {
      return ofUser
        .all({ userId: ownerId, limit, ...(after ?? NEWEST) })
        .map(({ maxIdleMs, ...key }) => ({ ...key, isBrowser: maxIdleMs !== null }))
    },
    /** Without revoked keys. */
    count: (ownerId: string): number => countOfUser.get({ userId: ownerId })?.total ?? 0,
    /** False when the user has no such key, or it was revoked before. */
    revoke(ownerId: string, keyId: string, at: number): boolean {
      const revoked = db.freeing((tx) =>
        tx
          .update(apiKeys)
          .set({ revokedAt: at })
          .where(and(eq(apiKeys.id, keyId), eq(apiKeys.userId, ownerId), isNull(apiKeys.revokedAt)))
          .returning({ id: apiKeys.id })
          .get(),
      )
      return revoked !== undefined
    },
    /**
     * Deletes a batch of keys that were revoked before a time; false when none are left. Keeps those of key files: the file may
     * still contain one, and the next start must not make it valid again.
     */
    deleteSomeRevoked(time: number): boolean {
      const deleted = db.transaction((tx) => {
        const some = tx
          .select({ id: apiKeys.id })
          .from(apiKeys)
          .where(and(lt(apiKeys.revokedAt, time), eq(apiKeys.isFromFile, false)))
          .limit(MAX_DELETED_KEYS)
        return tx.delete(apiKeys).where(inArray(apiKeys.id, some)).returning({ id: apiKeys.id }).all()
      })
      return deleted.length === MAX_DELETED_KEYS
    },
    recordUses(usedAtByKey: ReadonlyMap<string, number>): void {
      db.transaction((tx) => {
        for (const [id, usedAt] of usedAtByKey) touch.run(tx, { id, usedAt })
      })
    },
  }
}

function insert(tx: Tx, userId: string, digest: Buffer, key: KeyToAdd): void {
  tx.insert(apiKeys)
    .values({ ...key, userId, digest })
    .onConflictDoNothing({ target: apiKeys.digest })
    .run()
}
