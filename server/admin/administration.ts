import type { AccountStore } from '../accounts/account-store.ts'
import type { SignIn } from '../accounts/sign-in.ts'
import type { UsageMeter } from '../accounts/usage.ts'
import type { Config } from '../config/config.ts'
import type { DataDir } from '../data/data-dir.ts'
import type { InstanceStore } from '../data/instance-store.ts'
import type { Database } from '../db/open.ts'
import type { JobQueries } from '../jobs/query-store.ts'
import type { TransitionStore } from '../jobs/transition-store.ts'
import type { Clock } from '../time/clock.ts'
import { removeUser } from './remove-user.ts'
import { openServiceStatus, type ServiceStatus } from './service-status.ts'
import { openServiceStore } from './service-store.ts'
import type { StartAtLogin } from './start-at-login.ts'
import { openUserRemovalStore } from './user-removal-store.ts'
import { openUsers, type Users } from './users.ts'

export interface AdministrationOptions {
  readonly db: Database
  readonly config: Config
  readonly dir: DataDir
  readonly instance: InstanceStore
  readonly accounts: AccountStore
  readonly signIn: SignIn
  readonly usage: UsageMeter
  readonly jobs: JobQueries
  readonly transitions: TransitionStore
  readonly clock: Clock
  freeBytes(directory: string): number
  connectionsInUse(): number
  /** Why the archive store can't be used; null when it can, or when there is none. */
  storeTrouble(): string | null
  readonly startAtLogin: StartAtLogin | null
  /** Stops the run of a job, if there is one. */
  halt(jobId: string): Promise<void>
  /** Deletes the files of a job. */
  deleteFiles(jobId: string): Promise<void>
}

/** What the owner of the service does with its users, and sees of the service. */
export interface Administration {
  readonly users: Users
  status(): ServiceStatus
  /** Null where the system can't start the service at a login. */
  readonly startAtLogin: StartAtLogin | null
}

export function openAdministration(options: AdministrationOptions): Administration {
  const { db, jobs, transitions, clock, halt, deleteFiles } = options
  const removal = openUserRemovalStore(db)
  return {
    users: openUsers({
      ...options,
      countJobs: jobs.counts,
      removeUser: (userId) => removeUser(userId, { removal, transitions, clock, halt, deleteFiles }),
    }),
    status: openServiceStatus({
      ...options,
      store: openServiceStore(db),
      lastBackup: options.instance.lastBackup,
    }),
    startAtLogin: options.startAtLogin,
  }
}
