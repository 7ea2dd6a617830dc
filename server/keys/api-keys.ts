// server/decisions/keys-and-users.md says which keys expire, and why.

import type { Tx } from '../db/open.ts'
import { ServiceError } from '../errors.ts'
import { openFailureLog } from '../logging/failure-log.ts'
import type { Log } from '../logging/log.ts'
import { decodeCursor, type PageRequest, pageOf } from '../paging.ts'
import type { Clock } from '../time/clock.ts'
import { digestOfApiKey, displayPrefix, generateApiKey, isApiKey } from './api-key.ts'
import type { ApiKey, ApiKeyStore, Caller } from './api-key-store.ts'

export type { ApiKey, Caller } from './api-key-store.ts'

/** The name of a key that was created without one. */
const DEFAULT_NAME = 'API key'
/** Long enough for a person who comes back every month, short enough that a forgotten browser is soon signed out. */
const SESSION_IDLE_MS = 30 * 86_400_000
/** The most keys per user, including expired ones. Each browser that signs in has its own key. */
const MAX_KEYS = 1_000
/** Uses are written in one transaction, at most this long after the first one. */
const USES_DELAY_MS = 1_000
/** The delay before the next attempt when the database has refused to record uses. */
const USES_RETRY_MS = 5_000

/** A key just created, the only time when its secret is known. */
export interface NewApiKey extends ApiKey {
  readonly key: string
}

export interface KeyPage {
  readonly keys: readonly ApiKey[]
  readonly total: number
  /** Null at the end of the list. */
  readonly nextCursor: string | null
}

export interface ApiKeys extends Disposable {
  /**
   * `name` null or empty gives the default name; `expiresAt` is milliseconds since the epoch. `PLAN_LIMIT_EXCEEDED`
   * when the user has too many keys.
   */
  create(userId: string, name: string | null, expiresAt: number | null): NewApiKey
  /**
   * Creates the key of a browser, which ends 30 days after its last use. Deletes those that have ended.
   * `PLAN_LIMIT_EXCEEDED` when the user has too many keys.
   */
  createSession(tx: Tx, userId: string, browser: string): NewApiKey
  /** Adds a key that was generated elsewhere. Does nothing when it was added before, even if it was revoked since then. */
  adopt(userId: string, name: string, key: string): void
  /** A page of the user's keys, newest first, without revoked ones. */
  list(userId: string, page: PageRequest): KeyPage
  /** `NOT_FOUND` when the user has no such key, or it was revoked before. */
  revoke(userId: string, keyId: string): void
  /** The caller with this key; null when it is malformed, unknown, expired or revoked. */
  authenticate(key: string): Caller | null
  /** Whether a key has neither expired nor been revoked since its request began. */
  isValid(keyId: string): boolean
}

export function openApiKeys(store: ApiKeyStore, clock: Clock, log: Log): ApiKeys {
  const usedAtByKey = new Map<string, number>()
  let timer: Timer | null = null
  const uses = openFailureLog(log, 'uses of keys could not be recorded')

  function recordUses() {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (usedAtByKey.size === 0) return
    try {
      store.recordUses(usedAtByKey)
      usedAtByKey.clear()
      uses.noteSuccess()
    } catch (error) {
      // A full disk, or a locked database, must not fail requests that only read.
      uses.noteError(error)
      timer = setTimeout(recordUses, USES_RETRY_MS)
    }
  }

  return {
    create(userId, name, expiresAt) {
      const createdAt = clock()
      if (expiresAt !== null && expiresAt <= createdAt) {
        const issue = { path: 'expires_at', message: 'must be in the future' }
        throw new ServiceError('INVALID_REQUEST', 'expires_at must be in the future.', [issue])
      }
      const key = generateApiKey()
      const apiKey = describe(key, name === null || name === '' ? DEFAULT_NAME : name, createdAt, expiresAt)
      if (!store.addWithin(MAX_KEYS, userId, digestOfApiKey(key), apiKey)) throw tooManyKeys()
      return { ...apiKey, lastUsedAt: null, isBrowser: false, key }
    },
    createSession(tx, userId, browser) {
      const createdAt = clock()
      const key = generateApiKey()
      const apiKey = describe(key, browser, createdAt, createdAt + SESSION_IDLE_MS)
      const session = { ...apiKey, maxIdleMs: SESSION_IDLE_MS }
      if (!store.addSessionWithin(tx, MAX_KEYS, userId, digestOfApiKey(key), session)) throw tooManyKeys()
      return { ...apiKey, lastUsedAt: null, isBrowser: true, key }
    },
    adopt(userId, name, key) {
      store.add(userId, digestOfApiKey(key), { ...describe(key, name, clock(), null), isFromFile: true })
    },
    list(userId, { cursor, limit }) {
      recordUses()
      const list = `keys of ${userId}`
      const after = cursor === null ? null : decodeCursor(list, cursor)
      const { items, nextCursor } = pageOf(list, store.page(userId, after, limit + 1), limit)
      return { keys: items, total: store.count(userId), nextCursor }
    },
    revoke(userId, keyId) {
      if (!store.revoke(userId, keyId, clock()))
        throw new ServiceError('NOT_FOUND', 'There is no such API key.')
    },
    authenticate(key) {
      if (!isApiKey(key)) return null
      const now = clock()
      const caller = store.callerWith(digestOfApiKey(key), now)
      if (caller === null) return null
      usedAtByKey.set(caller.keyId, now)
      timer ??= setTimeout(recordUses, USES_DELAY_MS)
      return caller
    },
    isValid: (keyId) => store.isValid(keyId, clock()),
    [Symbol.dispose]() {
      recordUses()
      if (timer !== null) clearTimeout(timer)
    },
  }
}

function tooManyKeys(): ServiceError {
  return new ServiceError(
    'PLAN_LIMIT_EXCEEDED',
    `On every plan, a user may have ${MAX_KEYS} API keys, and you have that many. Revoke keys that you no longer use.`,
  )
}

function describe(key: string, name: string, createdAt: number, expiresAt: number | null) {
  return { id: Bun.randomUUIDv7(), name, prefix: displayPrefix(key), createdAt, expiresAt }
}
