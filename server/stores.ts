import { openAccountStore } from './accounts/account-store.ts'
import { openUsageStore } from './accounts/usage-store.ts'
import { openServiceStore } from './admin/service-store.ts'
import { openUserRemovalStore } from './admin/user-removal-store.ts'
import { openInstanceStore } from './data/instance-store.ts'
import type { Database } from './db/open.ts'
import { openArchivedEntryStore } from './downloads/archived-entry-store.ts'
import {
  openExpiredDetails,
  openFileDeletionStore,
  openObjectDeletionStore,
} from './jobs/deletion/deletion-store.ts'
import { openCheckpointStore } from './jobs/lifecycle/checkpoint-store.ts'
import { openShareLinks } from './jobs/lifecycle/share-link-store.ts'
import { openTransitionStore } from './jobs/lifecycle/transition-store.ts'
import { openJobQueries } from './jobs/reading/query-store.ts'
import { openApiKeyStore } from './keys/api-key-store.ts'
import { openAttemptStore } from './notifiers/attempt-store.ts'
import { openDeliveryStore } from './notifiers/delivery-store.ts'
import { openEventStore } from './notifiers/event-store.ts'
import { openNotifierStore } from './notifiers/notifier-store.ts'
import { openRunStore, type ScheduleEvent } from './schedules/run-store.ts'
import { openScheduleStore } from './schedules/schedule-store.ts'
import { openJobLoginStore } from './sites/job-login-store.ts'
import { openSiteStore } from './sites/site-store.ts'

/** All that reads and writes the rows of a service. */
export type Stores = ReturnType<typeof openStores>

/** @param counted is told what happens to runs and schedules */
export function openStores(db: Database, counted: (event: ScheduleEvent) => void) {
  const events = openEventStore(db)
  // The end of a job ends its run, and then tells the notifiers of it, in one transaction.
  const scheduleRuns = openRunStore(db, events, counted)
  const transitions = openTransitionStore(db, scheduleRuns.jobEnded)
  return {
    instance: openInstanceStore(db),
    service: openServiceStore(db),

    accounts: openAccountStore(db),
    usage: openUsageStore(db),
    apiKeys: openApiKeyStore(db),
    userRemoval: openUserRemovalStore(db),
    sites: openSiteStore(db),
    jobLogins: openJobLoginStore(db),

    jobs: openJobQueries(db),
    transitions,
    checkpoints: openCheckpointStore(db),
    shareLinks: openShareLinks(db),
    archivedEntries: openArchivedEntryStore(db),
    fileDeletions: openFileDeletionStore(db),
    objectDeletions: openObjectDeletionStore(db),
    expiredDetails: openExpiredDetails(db),

    schedules: openScheduleStore(db),
    scheduleRuns,

    notifiers: openNotifierStore(db),
    events,
    deliveries: openDeliveryStore(db),
    attempts: openAttemptStore(db),
  }
}
