import { existsSync } from 'node:fs'
import { openAccountStore } from './accounts/account-store.ts'
import { openSignIn, signInLink } from './accounts/sign-in.ts'
import { openUsageMeter } from './accounts/usage.ts'
import { openUsageStore } from './accounts/usage-store.ts'
import { openServiceStatus } from './admin/service-status.ts'
import { openServiceStore } from './admin/service-store.ts'
import { openUserRemovalStore } from './admin/user-removal-store.ts'
import { openUsers } from './admin/users.ts'
import type { Config } from './config/config.ts'
import { openServiceData } from './data/service-data.ts'
import { openWriteQueue } from './db/write-queue.ts'
import { openArchivedEntryStore } from './downloads/archived-entry-store.ts'
import { openConfiguredStore } from './downloads/configured-store.ts'
import { openDownloads } from './downloads/downloads.ts'
import { openFinishedArchives } from './downloads/finished-archives.ts'
import { openSharedArchives } from './downloads/shared-archives.ts'
import { WorkerPool } from './engine/threads/pool.ts'
import { removeLeftover } from './files/durable.ts'
import { freeBytes, KEPT_FREE_BYTES } from './files/free-space.ts'
import { listen } from './http/server.ts'
import { webhookMessageJson } from './http/webhooks/json.ts'
import { openInspections } from './inspection/inspections.ts'
import {
  openExpiredDetails,
  openFileDeletionStore,
  openObjectDeletionStore,
} from './jobs/deletion/deletion-store.ts'
import { openDetailDeletions } from './jobs/deletion/detail-deletion-store.ts'
import { type FileDeletions, openFileDeletions } from './jobs/deletion/file-deletions.ts'
import { openJobs } from './jobs/jobs.ts'
import { openBases } from './jobs/lifecycle/base-store.ts'
import { openCheckpointStore } from './jobs/lifecycle/checkpoint-store.ts'
import { openShareLinks } from './jobs/lifecycle/share-link-store.ts'
import { openTransitionStore } from './jobs/lifecycle/transition-store.ts'
import { assertRoom } from './jobs/limits.ts'
import { openLiveProgress } from './jobs/progress.ts'
import { openEntries } from './jobs/reading/entries.ts'
import { openJobQueries } from './jobs/reading/query-store.ts'
import { openApiKeyStore } from './keys/api-key-store.ts'
import { openApiKeys } from './keys/api-keys.ts'
import { shareKeyFile } from './keys/key-file.ts'
import { type Log, openLog } from './logging/log.ts'
import { openHealth } from './monitoring/health.ts'
import { Metrics } from './monitoring/metrics.ts'
import { addNotifierMetrics, addScheduleMetrics, addServiceMetrics } from './monitoring/service-metrics.ts'
import { openDeliveryStore } from './notifiers/delivery-store.ts'
import { openEventStore } from './notifiers/event-store.ts'
import { openNotifierPart } from './notifiers/part.ts'
import type { ProgramFiles } from './program-files.ts'
import { openSchedulePart } from './schedules/part.ts'
import { openRunStore } from './schedules/run-store.ts'
import type { ScheduleTimer } from './schedules/timer.ts'
import { applySettings, reachOf } from './scheduling/applied-settings.ts'
import { type ArchiveTransfer, openArchiveTransfer } from './scheduling/archive-transfer.ts'
import { openClockCheck } from './scheduling/clock-check.ts'
import { openRowCleanup } from './scheduling/row-cleanup.ts'
import { openClaimRunner } from './scheduling/run-claim.ts'
import { openScheduler, type Scheduler } from './scheduling/scheduler.ts'
import { openSweeper, type Sweeper } from './scheduling/sweeper.ts'
import { openSettings } from './settings/settings.ts'
import { tellOrigin } from './settings/told-origin.ts'
import { openLogins } from './sites/logins.ts'
import { openSealing } from './sites/sealing.ts'
import { openSiteStore } from './sites/site-store.ts'
import { openSites } from './sites/sites.ts'
import { type Clock, monotonicClock, systemClock } from './time/clock.ts'
import { ConcurrentShutdown } from './time/concurrent-shutdown.ts'

export interface AppOptions {
  readonly config: Config
  readonly files: ProgramFiles
  readonly clock?: Clock
  readonly monotonic?: Clock
  readonly log?: Log
  /** Free space on the disk of a directory, in bytes. */
  freeBytes?(directory: string): number
}

/** A running service. Disposing of it stops jobs at their checkpoints and closes everything. */
export interface App extends AsyncDisposable {
  /** The origin by which clients reach the service. */
  readonly origin: string
  /** The origin on which it listens, regardless of `--base-url`. */
  readonly localOrigin: string
  readonly sweeper: Sweeper
  readonly scheduleTimer: ScheduleTimer
  /** The sign-in link that this start created for the owner; null when the owner has signed in. */
  firstSignInLink(): string | null
}

/**
 * How long a stop waits for running requests, jobs and deletions, all at the same time. Container runtimes kill a service
 * ten seconds after they ask it to stop.
 */
const STOP_MS = 7_000

/**
 * The composition root: builds every part of the service once, in the order in which the parts need each other, and names
 * what each of them gets.
 * @throws StartRefused when the service can't run on these directories
 */
export async function openApp(options: AppOptions): Promise<App> {
  const { config, files, clock = systemClock, monotonic = monotonicClock } = options
  const { log = openLog(config), freeBytes: freeOn = freeBytes } = options
  await using stack = new AsyncDisposableStack()

  // The threads of jobs. The first one starts while the rest is built.
  const runner = stack.use(new WorkerPool({ workerUrl: files.workerUrl, reach: reachOf(config), log }))
  const prepared = runner.prepare()

  // The data directory and the database.
  const { dir, db, instance, knownFiles } = stack.use(
    openServiceData({
      data: config.data,
      archives: config.archives,
      migrationsDir: files.migrationsDir,
      log,
      openKnownFiles: openFileDeletionStore,
    }),
  )
  for (const path of [dir.signingSecrets, dir.archiveOwner, dir.settings, config.ownerKeyFile])
    if (path !== null) removeLeftover(path, clock())
  const writes = stack.use(openWriteQueue())
  const assertRoomLeft = () => assertRoom(dir, freeOn)
  const freeForArchives = () => freeOn(dir.archives)

  // The settings, which the owner may change while the service runs.
  const sealing = openSealing(dir.sealingKey)
  const settings = stack.use(openSettings({ config, dir, sealing, clock, log }))
  runner.changeReach(reachOf(settings.current))
  const { plans } = settings

  // Users, usage and keys.
  const accounts = openAccountStore(db)
  const owner = accounts.owner(clock())
  const signIn = openSignIn(accounts, clock)
  const usageStore = openUsageStore(db)
  const usage = openUsageMeter(usageStore, plans, clock)
  const apiKeyStore = openApiKeyStore(db)
  const apiKeys = stack.use(openApiKeys(apiKeyStore, clock, log))
  if (config.ownerKeyFile !== null) shareKeyFile(config.ownerKeyFile, owner.id, apiKeys)

  // Sites, and the headers of jobs.
  const siteStore = openSiteStore(db)
  const sites = openSites({ store: siteStore, sealing, clock })
  const logins = openLogins({ db, writes, sites: siteStore, sealing, clock, log })

  // What is known of jobs and of their archives.
  const jobQueries = openJobQueries(db)
  const notifierEvents = openEventStore(db)
  const deliveries = openDeliveryStore(db)
  const metrics = new Metrics()
  const scheduleMetrics = addScheduleMetrics(metrics)
  const runStore = openRunStore(db, notifierEvents, (event) => scheduleMetrics.counted([event]))
  const transitions = openTransitionStore(db, runStore.jobEnded)
  const live = openLiveProgress(monotonic)
  const archiveStore = openConfiguredStore(config)
  const finishedArchives = openFinishedArchives(dir, archiveStore, jobQueries, clock, log)
  const downloads = openDownloads(dir, jobQueries, finishedArchives, live, clock)
  const { jobWaited } = addServiceMetrics(metrics, {
    jobsByStatus: jobQueries.countsOfAllUsers,
    connectionsInUse: () => runner.connectionsInUse,
    fetchedBytes: () => live.fetchedBytes,
    freeBytes: freeForArchives,
    databasePath: dir.database,
  })

  // From here on, what works in the background. All of it stops at the same time.
  const shutdown = stack.use(
    new ConcurrentShutdown(STOP_MS, () =>
      log.warn('a part of the service did not stop in time: the process ends without it'),
    ),
  )

  shutdown.use(downloads)

  // Jobs: their runs, the uploads of their archives, and their deletion. These three need each other.
  const transfer: ArchiveTransfer = shutdown.use(
    openArchiveTransfer({
      store: archiveStore,
      objectDeletions: openObjectDeletionStore(db),
      transitions,
      writes,
      live,
      clock,
      log,
      archivePath: dir.archive,
      deleteFiles: (jobId) => fileDeletions.deleteFiles(jobId),
      isDirectoryInPlace: () => existsSync(dir.archiveOwner),
      onPending: () => scheduler.wake(),
    }),
  )
  const checkpoints = openCheckpointStore(db)
  const scheduler: Scheduler = shutdown.use(
    openScheduler({
      store: jobQueries,
      transitions,
      checkpoints,
      writes,
      live,
      limit: () => settings.current.jobs,
      clock,
      log,
      archivePath: dir.archive,
      runClaim: openClaimRunner({
        transitions,
        checkpoints,
        logins,
        writes,
        live,
        runner,
        plans,
        log,
        archivePath: dir.archive,
        archiveLink: finishedArchives.linkTo,
        early: downloads.early,
      }),
      beginUpload: transfer.beginUpload,
      onFirstStart: (waitedMs) => jobWaited(waitedMs / 1000),
    }),
  )
  const fileDeletions: FileDeletions = openFileDeletions(
    knownFiles,
    dir,
    scheduler.halt,
    transfer.wakeDeletions,
    log,
  )
  const detailDeletions = openDetailDeletions(db, transitions.isBeingWritten, log)
  const sweeper = shutdown.use(
    openSweeper({
      transitions,
      live,
      fileDeletions,
      detailDeletions,
      rowCleanup: openRowCleanup({
        db,
        accounts,
        usage: usageStore,
        apiKeys: apiKeyStore,
        details: openExpiredDetails(db),
        deliveries,
        live,
        keepDetailsDays: config.keepDetails,
        plans,
      }),
      clock,
      clockCheck: openClockCheck({ clock, monotonic, instance, log }),
      freeBytes: freeForArchives,
      keepReserve() {
        if (freeOn(dir.root) >= KEPT_FREE_BYTES.database) db.keepReserve()
      },
      log,
    }),
  )
  await scheduler.releaseAbandonedJobs()

  // Webhooks and other notifiers.
  const { deliverer, notifiers, webhooks } = openNotifierPart({
    db,
    writes,
    deliveries,
    events: notifierEvents,
    usage,
    sealing,
    clock,
    log,
    config: () => settings.current,
    countAttempt: addNotifierMetrics(metrics),
    bodyOf: (message, origin) => webhookMessageJson(message, downloads.downloadUrlOf, origin),
    shareUrlOf: downloads.shareUrlOf,
  })
  shutdown.use(deliverer)

  // What users do with jobs, and the owner with users.
  const jobs = openJobs({
    db,
    queries: jobQueries,
    bases: openBases(db, jobQueries, clock),
    links: openShareLinks(db),
    transitions,
    live,
    runs: scheduler,
    usage,
    logins,
    plans,
    clock,
    assertRoom: assertRoomLeft,
    deleteFiles: fileDeletions.deleteFiles,
    deleteDetails: detailDeletions.deleteOf,
  })
  const inspections = shutdown.use(openInspections(runner, plans, logins))
  const schedulePart = openSchedulePart({
    db,
    runStore,
    jobs,
    inspections,
    accounts,
    usage,
    logins,
    plans,
    clock,
    log,
    jobChanged: live.changed,
    onBegun: (lateMs) => scheduleMetrics.began(lateMs / 1000),
  })
  const scheduleTimer = shutdown.use(schedulePart.timer)
  const users = openUsers({
    accounts,
    signIn,
    usage,
    clock,
    countJobs: jobQueries.counts,
    removal: openUserRemovalStore(db),
    transitions,
    halt: scheduler.halt,
    deleteFiles: fileDeletions.deleteFiles,
  })
  const serviceStatus = openServiceStatus({
    config: () => settings.current,
    dir,
    jobs: jobQueries,
    store: openServiceStore(db),
    clock,
    lastBackup: instance.lastBackup,
    freeBytes: freeOn,
    connectionsInUse: () => runner.connectionsInUse,
    storeTrouble: transfer.trouble,
  })

  // The HTTP server.
  let isStopping = false
  const runId = crypto.randomUUID()
  await prepared
  const http = shutdown.use(
    await listen({
      settings,
      uiDir: files.uiDir,
      runId,
      clock,
      log,
      metrics,
      health: openHealth({ db, dir, log, isStopping: () => isStopping, assertRoom: assertRoomLeft }),
      apiKeys,
      signIn,
      usage,
      jobs,
      inspections,
      schedulePart,
      entries: openEntries(jobQueries, live),
      live,
      downloads,
      shared: openSharedArchives(downloads, openArchivedEntryStore(db), live, log),
      notifiers,
      webhooks,
      sites,
      users,
      serviceStatus,
      countDamaged: finishedArchives.countDamaged,
      storeTrouble: transfer.trouble,
    }),
  )
  stack.use(tellOrigin(settings, dir.serviceOrigin, { localOrigin: http.origin, runId }))
  stack.defer(() => {
    isStopping = true
  })

  // Everything is there, and the port is known: the background work begins.
  const network = applySettings(settings, runner, scheduler, http.port)
  inspections.start(network)
  sweeper.start()
  deliverer.start(network)
  // The end of a job may have queued deliveries.
  stack.use(
    live.subscribe('all', ({ rowChanged }) => {
      if (rowChanged) deliverer.wake()
    }),
  )
  transfer.start()
  scheduler.start(network)
  scheduleTimer.start()

  const hasSignedIn = () => accounts.hasSignedIn(owner.id)
  const origin = settings.current.baseUrl ?? http.origin
  const link = hasSignedIn() ? null : signInLink(origin, signIn.issueToken(owner.id).token)
  db.useServiceBusyTimeout()

  const parts = stack.move()
  return {
    origin,
    localOrigin: http.origin,
    sweeper,
    scheduleTimer,
    firstSignInLink: () => (hasSignedIn() ? null : link),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}
