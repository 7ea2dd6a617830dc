import type { Config } from '../config/config.ts'
import type { DataDir } from '../data/data-dir.ts'
import type { LastBackup } from '../data/instance-store.ts'
import { KEPT_FREE_BYTES, totalBytes } from '../files/free-space.ts'
import type { JobCounts } from '../jobs/job.ts'
import type { JobQueries } from '../jobs/reading/query-store.ts'
import type { Clock } from '../time/clock.ts'
import type { ServiceStore, StoredBytes } from './service-store.ts'

/** The state of the running service, for its owner. */
export interface ServiceStatus extends StoredBytes {
  /** When this process began to serve, in milliseconds since the epoch. */
  readonly startedAt: number
  /** The disk of the archives. */
  readonly disk: {
    readonly freeBytes: number
    readonly totalBytes: number
    /** With less free space, the service accepts no new job. */
    readonly keptFreeBytes: number
  }
  /** Of all users. */
  readonly jobCounts: JobCounts
  /** How long the oldest job that has not started yet has waited; 0 when none waits. */
  readonly queueWaitMs: number
  /** Connections to sources. */
  readonly connectionsInUse: number
  /** Null without an archive store. */
  readonly archiveStore: {
    /** How many jobs wait until their archives are uploaded. */
    readonly waitingUploads: number
    /** Why the store can't be used, as a sentence without its address; null when it can. */
    readonly trouble: string | null
  } | null
  readonly settings: Config
  readonly lastBackup: LastBackup | null
}

export interface ServiceStatusOptions {
  /** The settings of a time. */
  config(): Config
  readonly dir: DataDir
  readonly jobs: JobQueries
  readonly store: ServiceStore
  readonly clock: Clock
  lastBackup(): LastBackup | null
  freeBytes(directory: string): number
  connectionsInUse(): number
  /** Why the archive store can't be used; null when it can, or when there is none. */
  storeTrouble(): string | null
}

/** @returns a function that reads the current state */
export function openServiceStatus(options: ServiceStatusOptions): () => ServiceStatus {
  const { config, dir, jobs, store, clock, lastBackup, freeBytes, connectionsInUse, storeTrouble } = options
  const startedAt = clock()

  return () => {
    const waitingSince = store.oldestUnstartedJobAt()
    return {
      startedAt,
      disk: {
        freeBytes: freeBytes(dir.archives),
        totalBytes: totalBytes(dir.archives),
        keptFreeBytes: KEPT_FREE_BYTES.acceptingJobs,
      },
      ...store.storedBytes(),
      jobCounts: jobs.countsOfAllUsers(),
      queueWaitMs: waitingSince === null ? 0 : Math.max(0, clock() - waitingSince),
      connectionsInUse: connectionsInUse(),
      archiveStore:
        config().archiveStore === null
          ? null
          : { waitingUploads: store.countUploads(), trouble: storeTrouble() },
      settings: config(),
      lastBackup: lastBackup(),
    }
  }
}
