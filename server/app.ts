import { existsSync } from 'node:fs'
import { openSignIn, signInUrl } from './accounts/sign-in.ts'
import { openUsageMeter } from './accounts/usage.ts'
import { openServiceStatus } from './admin/service-status.ts'
import { openUsers } from './admin/users.ts'
import type { Config } from './config/config.ts'
import { openWriteQueue } from './db/write-queue.ts'
import { openConfiguredStore } from './downloads/configured-store.ts'
import { openDownloads } from './downloads/downloads.ts'
import { openFinishedArchives } from './downloads/finished-archives.ts'
import { openSharedArchives } from './downloads/shared-archives.ts'
import { WorkerPool } from './engine/threads/pool.ts'
import { freeBytes } from './files/free-space.ts'
import { listen } from './http/server.ts'
import { webhookMessageJson } from './http/webhooks/json.ts'
import { openInspections } from './inspection/inspections.ts'
import { openDetailDeletions } from './jobs/deletion/detail-deletion-store.ts'
import { openFileDeletion, openFileDeletions } from './jobs/deletion/file-deletions.ts'
import { openJobs } from './jobs/jobs.ts'
import { openBases } from './jobs/lifecycle/base-store.ts'
import { assertRoom } from './jobs/limits.ts'
import { openLiveProgress } from './jobs/progress.ts'
import { openEntries } from './jobs/reading/entries.ts'
import { openApiKeys } from './keys/api-keys.ts'
import { shareKeyFile } from './keys/key-file.ts'
import { type Log, openLog } from './logging/log.ts'
import { openHealth } from './monitoring/health.ts'
import { Metrics } from './monitoring/metrics.ts'
import { addNotifierMetrics, addScheduleMetrics, addServiceMetrics } from './monitoring/service-metrics.ts'
import { openNotifying } from './notifiers/notifying.ts'
import type { ProgramFiles } from './program-files.ts'
import { openRuns } from './schedules/runs.ts'
import { openSchedules } from './schedules/schedules.ts'
import { openScheduleTimer, type ScheduleTimer } from './schedules/timer.ts'
import { applySettings, reachOf } from './scheduling/applied-settings.ts'
import { openArchiveTransfer } from './scheduling/archive-transfer.ts'
import { openClockCheck } from './scheduling/clock-check.ts'
import { openRowCleanup } from './scheduling/row-cleanup.ts'
import { openClaimRunner } from './scheduling/run-claim.ts'
import { openScheduler } from './scheduling/scheduler.ts'
import { openSweeper, type Sweeper } from './scheduling/sweeper.ts'
import { openServiceData } from './service-data.ts'
import { openSettings } from './settings/settings.ts'
import { tellOrigin } from './settings/told-origin.ts'
import { openLogins } from './sites/logins.ts'
import { openSealing } from './sites/sealing.ts'
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

  // The data directory, the database, and all that reads and writes its rows.
  const metrics = new Metrics()
  const scheduleMetrics = addScheduleMetrics(metrics)
  const { dir, db, stores } = stack.use(
    openServiceData({
      config,
      migrationsDir: files.migrationsDir,
      clock,
      log,
      counted: (event) => scheduleMetrics.counted([event]),
    }),
  )
  const { accounts, transitions } = stores
  const writes = stack.use(openWriteQueue())
  const assertRoomLeft = () => assertRoom(dir, freeOn)

  // The settings, which the owner may change while the service runs.
  const sealing = openSealing(dir.sealingKey)
  const settings = stack.use(openSettings({ config, dir, sealing, clock, log }))
  runner.changeReach(reachOf(settings.current))
  const { plans } = settings

  // Users, usage and keys; sites, and the headers of jobs.
  const owner = accounts.owner(clock())
  const signIn = openSignIn(accounts, clock)
  const usage = openUsageMeter(stores.usage, plans, clock)
  const apiKeys = stack.use(openApiKeys(stores.apiKeys, clock, log))
  if (config.ownerKeyFile !== null) shareKeyFile(config.ownerKeyFile, owner.id, apiKeys)
  const sites = openSites({ store: stores.sites, sealing, clock })
  const logins = openLogins({ writes, sites: stores.sites, jobLogins: stores.jobLogins, sealing, clock, log })

  // What works in the background, from here on, stops at the same time.
  const shutdown = stack.use(
    new ConcurrentShutdown(STOP_MS, () =>
      log.warn('a part of the service did not stop in time: the process ends without it'),
    ),
  )

  // What is known of jobs and of their archives.
  const live = openLiveProgress(monotonic)
  const archiveStore = openConfiguredStore(config)
  const finishedArchives = openFinishedArchives(dir, archiveStore, stores.jobs, clock, log)
  const downloads = shutdown.use(openDownloads(dir, stores.jobs, finishedArchives, live, clock))
  const { jobWaited } = addServiceMetrics(metrics, {
    jobsByStatus: stores.jobs.countsOfAllUsers,
    connectionsInUse: () => runner.connectionsInUse,
    fetchedBytes: () => live.fetchedBytes,
    freeBytes: () => freeOn(dir.archives),
    databasePath: dir.database,
  })

  // The runs of jobs, and the uploads of their archives.
  const deleteFiles = openFileDeletion(dir, log)
  const transfer = shutdown.use(
    openArchiveTransfer({
      store: archiveStore,
      objectDeletions: stores.objectDeletions,
      transitions,
      writes,
      live,
      clock,
      log,
      archivePath: dir.archive,
      deleteFiles,
      isDirectoryInPlace: () => existsSync(dir.archiveOwner),
    }),
  )
  const scheduler = shutdown.use(
    openScheduler({
      store: stores.jobs,
      transitions,
      checkpoints: stores.checkpoints,
      writes,
      live,
      limit: () => settings.current.jobs,
      clock,
      log,
      archivePath: dir.archive,
      runClaim: openClaimRunner({
        transitions,
        checkpoints: stores.checkpoints,
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

  // The deletion of what has expired.
  const fileDeletions = openFileDeletions({
    store: stores.fileDeletions,
    dir,
    deleteFiles,
    halt: scheduler.halt,
    onDeletion: transfer.wakeDeletions,
    log,
  })
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
        usage: stores.usage,
        apiKeys: stores.apiKeys,
        details: stores.expiredDetails,
        deliveries: stores.deliveries,
        live,
        keepDetailsDays: config.keepDetails,
        plans,
      }),
      clock,
      clockCheck: openClockCheck({ clock, monotonic, instance: stores.instance, log }),
      dir,
      db,
      freeBytes: freeOn,
      log,
    }),
  )
  await scheduler.releaseAbandonedJobs()

  // Webhooks and other notifiers.
  const { deliverer, notifiersOf } = openNotifying({
    db,
    attempts: stores.attempts,
    notifiers: stores.notifiers,
    deliveries: stores.deliveries,
    events: stores.events,
    writes,
    live,
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

  // What users do with jobs and schedules, and the owner with users.
  const jobs = openJobs({
    db,
    queries: stores.jobs,
    bases: openBases(db, stores.jobs, clock),
    links: stores.shareLinks,
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
  const schedules = openSchedules({
    store: stores.schedules,
    runStore: stores.scheduleRuns,
    logins,
    usage,
    plans,
    clock,
    jobChanged: live.changed,
  })
  const scheduleRuns = openRuns({
    schedules: stores.schedules,
    runs: stores.scheduleRuns,
    jobs,
    inspections,
    logins,
    plans,
    clock,
  })
  const scheduleTimer = shutdown.use(
    openScheduleTimer({
      db,
      schedules: stores.schedules,
      runStore: stores.scheduleRuns,
      runs: scheduleRuns,
      accounts,
      clock,
      log,
      onBegun: (lateMs) => scheduleMetrics.began(lateMs / 1000),
    }),
  )
  const users = openUsers({
    accounts,
    signIn,
    usage,
    clock,
    countJobs: stores.jobs.counts,
    removal: stores.userRemoval,
    transitions,
    halt: scheduler.halt,
    deleteFiles: fileDeletions.deleteFiles,
  })
  const serviceStatus = openServiceStatus({
    config: () => settings.current,
    dir,
    jobs: stores.jobs,
    store: stores.service,
    clock,
    lastBackup: stores.instance.lastBackup,
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
      schedules,
      scheduleRuns,
      entries: openEntries(stores.jobs, live),
      live,
      downloads,
      shared: openSharedArchives(downloads, stores.archivedEntries, live, log),
      notifiers: notifiersOf(null),
      webhooks: notifiersOf('webhook'),
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
  transfer.start(scheduler.wake)
  scheduler.start(network)
  scheduleTimer.start()

  const hasSignedIn = () => accounts.hasSignedIn(owner.id)
  const origin = settings.current.baseUrl ?? http.origin
  const link = hasSignedIn() ? null : signInUrl(origin, signIn.issueToken(owner.id).token)
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
