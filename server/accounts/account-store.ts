import { and, asc, eq, gt, isNull, lte, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { prepareLater } from '../db/prepare-later.ts'
import { signInLinks, users } from '../db/schema.ts'
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
  const user = { id: users.id, name: users.name, plan: users.plan }
  const digest = sql.placeholder('digest')
  const now = sql.placeholder('now')
  const latest = sql.placeholder('latest')

  const insertUser = prepareLater(() =>
    orm
      .insert(users)
      .values({
        id: sql.placeholder('id'),
        name: sql.placeholder('name'),
        plan: sql.placeholder('plan'),
        createdAt: now,
      })
      .onConflictDoNothing()
      .returning(user)
      .prepare(),
  )
  const userByName = prepareLater(() =>
    orm
      .select(user)
      .from(users)
      .where(eq(users.name, sql.placeholder('name')))
      .prepare(),
  )
  const listed = { ...user, createdAt: users.createdAt }
  const userById = prepareLater(() =>
    orm
      .select(listed)
      .from(users)
      .where(eq(users.id, sql.placeholder('userId')))
      .prepare(),
  )
  const signedInAt = prepareLater(() =>
    orm
      .select({ at: users.signedInAt })
      .from(users)
      .where(eq(users.id, sql.placeholder('userId')))
      .prepare(),
  )
  const insertLink = prepareLater(() =>
    orm
      .insert(signInLinks)
      .values({ digest, userId: sql.placeholder('userId'), expiresAt: sql.placeholder('expiresAt') })
      .prepare(),
  )
  const deleteLink = prepareLater(() =>
    orm
      .delete(signInLinks)
      .where(
        and(
          eq(signInLinks.digest, digest),
          gt(signInLinks.expiresAt, now),
          lte(signInLinks.expiresAt, latest),
        ),
      )
      .returning({ userId: signInLinks.userId })
      .prepare(),
  )
  return {
    /** Null when the name is taken. */
    createUser(name: string, plan: PlanName, createdAt: number): User | null {
      return db.durably(() => insertUser.get({ id: Bun.randomUUIDv7(), name, plan, now: createdAt }) ?? null)
    },
    /** The user that always exists: the process that first opens the database creates it. */
    owner(now: number): User {
      const found = userByName.get({ name: OWNER_NAME })
      if (found !== undefined) return found
      return db.durably(() => {
        const added = insertUser.get({ id: Bun.randomUUIDv7(), name: OWNER_NAME, plan: 'pro', now })
        const owner = added ?? userByName.get({ name: OWNER_NAME })
        if (owner === undefined) throw new Error('the owner can neither be added nor found')
        return owner
      })
    },
    userNamed(name: string): User | null {
      return userByName.get({ name }) ?? null
    },
    /** In the order in which they were added. */
    listUsers(): ListedUser[] {
      return orm.select(listed).from(users).orderBy(asc(users.createdAt), asc(users.id)).all()
    },
    userWithId(userId: string): ListedUser | null {
      return userById.get({ userId }) ?? null
    },
    /** Changes nothing and returns false when another user has the name. */
    rename(userId: string, name: string): boolean {
      return db.durably(() => {
        const namesake = userByName.get({ name })
        if (namesake !== undefined) return namesake.id === userId
        orm.update(users).set({ name }).where(eq(users.id, userId)).run()
        return true
      })
    },
    setPlan(userId: string, plan: PlanName): void {
      db.durably(() => orm.update(users).set({ plan }).where(eq(users.id, userId)).run())
    },
    hasSignedIn(userId: string): boolean {
      return signedInAt.get({ userId })?.at != null
    },
    addSignInLink(userId: string, linkDigest: Buffer, expiresAt: number): void {
      db.transaction(() => insertLink.run({ userId, digest: linkDigest, expiresAt }))
    },
    /**
     * Deletes a link and returns the result of `grant` for its user. Null when the link is unknown, used or expired. Also
     * null when it expires after `latest`: then it was created while the clock was ahead.
     */
    redeemSignInLink<T>(
      linkDigest: Buffer,
      { at, latest }: { at: number; latest: number },
      grant: (userId: string) => T,
    ): T | null {
      return db.durably(() => {
        const link = deleteLink.get({ digest: linkDigest, now: at, latest })
        if (link === undefined) return null
        orm
          .update(users)
          .set({ signedInAt: at })
          .where(and(eq(users.id, link.userId), isNull(users.signedInAt)))
          .run()
        return grant(link.userId)
      })
    },
    deleteExpiredSignInLinks(at: number): void {
      db.transaction(() => orm.delete(signInLinks).where(lte(signInLinks.expiresAt, at)).run())
    },
  }
}
