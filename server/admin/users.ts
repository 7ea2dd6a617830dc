import type { AccountStore, ListedUser } from '../accounts/account-store.ts'
import type { SignIn } from '../accounts/sign-in.ts'
import type { UsageMeter } from '../accounts/usage.ts'
import { isOwner } from '../accounts/user.ts'
import { ServiceError } from '../errors.ts'
import type { JobCounts } from '../jobs/job.ts'
import { decodeCursor, type PageRequest, pageOf } from '../paging.ts'
import type { PlanName } from '../vocabulary.ts'
import { removeUser, type UserRemovalOptions } from './remove-user.ts'

/** A user as the owner sees it. */
export interface UserSummary extends ListedUser {
  readonly isOwner: boolean
  /** Storage used in this calendar month, up to now. */
  readonly gbDays: number
  readonly jobCounts: JobCounts
}

export interface UserPage {
  readonly users: readonly ListedUser[]
  readonly total: number
  /** Null at the end of the list. */
  readonly nextCursor: string | null
}

export interface UsersOptions extends UserRemovalOptions {
  readonly accounts: AccountStore
  readonly signIn: SignIn
  readonly usage: UsageMeter
  countJobs(userId: string): JobCounts
}

export type Users = ReturnType<typeof openUsers>

/** What the owner does with users. The caller checks that it is the owner. */
export function openUsers(options: UsersOptions) {
  const { accounts, signIn, usage, removal, transitions, clock, countJobs, halt, deleteFiles } = options

  return {
    /** A page of the users, in the order in which they were added: the owner first. */
    list({ cursor, limit }: PageRequest): UserPage {
      const after = cursor === null ? null : decodeCursor(LIST, cursor)
      const { items, nextCursor } = pageOf(LIST, accounts.page(after, limit + 1), limit)
      return { users: items, total: accounts.countUsers(), nextCursor }
    },
    /** With the usage, which takes about a millisecond. */
    summaryOf,
    /** `INVALID_REQUEST` when the name is taken. */
    create(name: string, plan: PlanName): UserSummary {
      const user = accounts.createUser(name, plan, clock())
      if (user === null) throw nameTaken(name)
      return summaryOf(found(user.id))
    },
    /**
     * Null leaves the name or the plan as it is. A new plan applies from the next request; running jobs keep their limits.
     * `INVALID_REQUEST` when the name is taken, or for another name of the owner.
     */
    change(userId: string, { name, plan }: { name: string | null; plan: PlanName | null }): UserSummary {
      const user = found(userId)
      if (name !== null && name !== user.name) {
        if (isOwner(user)) throw invalidName('The owner keeps its name.', 'must stay as it is for the owner')
        if (!accounts.rename(userId, name)) throw nameTaken(name)
      }
      if (plan !== null) accounts.setPlan(userId, plan)
      return summaryOf(found(userId))
    },
    /** Stops the user's jobs and deletes the user with everything. `INVALID_REQUEST` for the owner. */
    async remove(userId: string): Promise<void> {
      if (isOwner(found(userId))) {
        throw new ServiceError('INVALID_REQUEST', 'The owner cannot be removed: the service belongs to it.')
      }
      await removeUser(userId, { removal, transitions, clock, halt, deleteFiles })
    },
    /** A token that signs the user in once, until `expiresAt` in milliseconds since the epoch. */
    issueSignInToken: (userId: string): { token: string; expiresAt: number } =>
      signIn.issueToken(found(userId).id),
  }

  function found(userId: string): ListedUser {
    const user = accounts.userWithId(userId)
    if (user === null) throw new ServiceError('NOT_FOUND', 'There is no such user.')
    return user
  }

  function summaryOf(user: ListedUser): UserSummary {
    return {
      ...user,
      isOwner: isOwner(user),
      gbDays: usage.usageOf(user).gbDays,
      jobCounts: countJobs(user.id),
    }
  }
}

const LIST = 'users'

function nameTaken(name: string): ServiceError {
  return invalidName(`A user ${name} already exists. Choose another name.`, 'is taken')
}

function invalidName(sentence: string, message: string): ServiceError {
  return new ServiceError('INVALID_REQUEST', sentence, [{ path: 'name', message }])
}
