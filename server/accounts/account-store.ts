import { and, asc, count, eq, gt, isNull, lte, sql } from 'drizzle-orm'
import type { Database, Tx } from '../db/open.ts'
import { signInLinks, users } from '../db/schema.ts'
import type { ListPlace } from '../paging.ts'
import type { PlanName } from '../vocabulary.ts'
import { OWNER_NAME, type User } from './user.ts'

export interface ListedUser extends User {
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

/** Users and their sign-in links. */
export type AccountStore = ReturnType<typeof openAccountStore>

export function openAccountStore(db: Database) {
  const { orm } = db
  const userByName = orm
    .select(USER)
    .from(users)
    .where(eq(users.name, sql.placeholder('name')))
    .prepare()
  const listed = { ...USER, createdAt: users.createdAt }
  const userById = orm
    .select(listed)
    .from(users)
    .where(eq(users.id, sql.placeholder('userId')))
    .prepare()
  const signedInAt = orm
    .select({ at: users.signedInAt })
    .from(users)
    .where(eq(users.id, sql.placeholder('userId')))
    .prepare()
  const youngerThan = sql`(${users.createdAt}, ${users.id}) > (${sql.placeholder('createdAt')}, ${sql.placeholder('id')})`
  const page = orm
    .select(listed)
    .from(users)
    .where(youngerThan)
    .orderBy(asc(users.createdAt), asc(users.id))
    .limit(sql.placeholder('limit'))
    .prepare()
  const total = orm.select({ total: count() }).from(users).prepare()

  return {
    /** Null when the name is taken. */
    createUser: (name: string, plan: PlanName, createdAt: number): User | null =>
      db.durably((tx) => insertUser(tx, name, plan, createdAt)),
    /** The user that always exists: the process that first opens the database creates it. */
    owner(now: number): User {
      const found = userByName.get({ name: OWNER_NAME })
      if (found !== undefined) return found
      return db.durably((tx) => {
        const owner = insertUser(tx, OWNER_NAME, 'pro', now) ?? userByName.get({ name: OWNER_NAME })
        if (owner === undefined) throw new Error('the owner can neither be added nor found')
        return owner
      })
    },
    userNamed(name: string): User | null {
      return userByName.get({ name }) ?? null
    },
    /** In the order in which they were added. */
    listUsers(): ListedUser[] {
      return page.all({ ...OLDEST, limit: ALL })
    },
    /** The next users after a place, in the same order. */
    page: (after: ListPlace | null, limit: number): ListedUser[] => page.all({ ...(after ?? OLDEST), limit }),
    countUsers: (): number => total.get()?.total ?? 0,
    userWithId(userId: string): ListedUser | null {
      return userById.get({ userId }) ?? null
    },
    /** Changes nothing and returns false when another user has the name. */
    rename(userId: string, name: string): boolean {
      return db.durably((tx) => {
        const namesake = userByName.get({ name })
        if (namesake !== undefined) return namesake.id === userId
        tx.update(users).set({ name }).where(eq(users.id, userId)).run()
        return true
      })
    },
    setPlan(userId: string, plan: PlanName): void {
      db.durably((tx) => tx.update(users).set({ plan }).where(eq(users.id, userId)).run())
    },
    hasSignedIn(userId: string): boolean {
      return signedInAt.get({ userId })?.at != null
    },
    addSignInLink(userId: string, digest: Buffer, expiresAt: number): void {
      db.transaction((tx) => tx.insert(signInLinks).values({ userId, digest, expiresAt }).run())
    },
    /**
     * Deletes a link and returns the result of `grant` for its user. Null when the link is unknown, used or expired. Also
     * null when it expires after `latest`: then it was created while the clock was ahead.
     */
    redeemSignInLink<T>(
      digest: Buffer,
      { at, latest }: { at: number; latest: number },
      grant: (tx: Tx, userId: string) => T,
    ): T | null {
      return db.durably((tx) => {
        const link = tx
          .delete(signInLinks)
          .where(
            and(
              eq(signInLinks.digest, digest),
              gt(signInLinks.expiresAt, at),
              lte(signInLinks.expiresAt, latest),
            ),
          )
          .returning({ userId: signInLinks.userId })
          .get()
        if (link === undefined) return null
        tx.update(users)
          .set({ signedInAt: at })
          .where(and(eq(users.id, link.userId), isNull(users.signedInAt)))
          .run()
        return grant(tx, link.userId)
      })
    },
    deleteExpiredSignInLinks(at: number): void {
      db.transaction((tx) => tx.delete(signInLinks).where(lte(signInLinks.expiresAt, at)).run())
    },
  }
}

/** Sorts before every user. */
const OLDEST: ListPlace = { createdAt: Number.MIN_SAFE_INTEGER, id: '' }
/** SQLite takes a negative limit as none. */
const ALL = -1

const USER = { id: users.id, name: users.name, plan: users.plan }

/** Null when the name is taken. */
function insertUser(tx: Tx, name: string, plan: PlanName, createdAt: number): User | null {
  const user = { id: Bun.randomUUIDv7(), name, plan, createdAt }
  return tx.insert(users).values(user).onConflictDoNothing().returning(USER).get() ?? null
}
