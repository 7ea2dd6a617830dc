import { rmSync } from 'node:fs'
import { openAccountParts } from './accounts/account-parts.ts'
import { signInLink } from './accounts/sign-in.ts'
import { openAdministration } from './admin/administration.ts'
import type { StartAtLogin } from './admin/start-at-login.ts'
import type { Config } from './config/config.ts'
import { writeServiceOrigin } from './data/service-origin.ts'
import { openWriteQueue } from './db/write-queue.ts'
import { openArchivedEntryStore } from './downloads/archived-entry-store.ts'
import { openConfiguredStore } from './downloads/configured-store.ts'
import { openDownloads } from './downloads/downloads.ts'
import { openFinishedArchives } from './downloads/finished-archives.ts'
import { openSharedArchives } from './downloads/shared-archives.ts'
import { openSigningSecrets } from './downloads/signing-secrets.ts'
import { WorkerPool } from './engine/threads/pool.ts'
import { assertRoom, freeBytes } from './files/free-space.ts'
import { listen } from './http/server.ts'
import { webhookMessageJson } from './http/webhooks/json.ts'
import { openBases } from './jobs/bases.ts'
import { openEntries } from './jobs/entries.ts'
import { openJobSettingsStore } from './jobs/job-settings-store.ts'
import { openJobStore } from './jobs/job-store.ts'
import { openJobs } from './jobs/jobs.ts'
import { openLiveProgress } from './jobs/progress.ts'
import { openServiceData } from './jobs/service-data.ts'
import { openTransitionStore } from './jobs/transition-store.ts'
import { openApiKeyStore } from './keys/api-key-store.ts'
import { openApiKeys } from './keys/api-keys.ts'
import { shareKeyFile } from './keys/key-file.ts'
import { type Log, openLog } from './logging/log.ts'
import { openHealth } from './monitoring/health.ts'
import { openServiceMetrics } from './monitoring/service-metrics.ts'
import { openSchedulingParts } from './scheduling/scheduling-parts.ts'
import type { Sweeper } from './scheduling/sweeper.ts'
import { ConcurrentShutdown } from './shutdown.ts'
import { type Clock, monotonicClock, systemClock } from './time/clock.ts'
import { openWebhookService } from './webhooks/webhook-service.ts'

/** Where the files of the program are: in the source tree, or embedded in the executable. */
export interface ProgramFiles {
  readonly migrationsDir: string
  readonly uiDir: string
  readonly workerUrl: string | URL
}

export interface AppOptions {
  readonly config: Config
  readonly files: ProgramFiles
  /** Null, which is the default, where the system can't start the service at a login. */
  readonly startAtLogin?: StartAtLogin | null
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
  /** The sign-in link that this start created for the owner; null when the owner has signed in. */
  firstSignInLink(): string | null
}

/**
 * How long a stop waits for running requests, jobs and deletions, all at the same time. Container runtimes kill a service
 * ten seconds after they ask it to stop.
 */
const STOP_MS = 7_000

/**
 * The composition root: builds every part once and passes it on.
 * @throws StartRefused when the service can't run on these directories
 */
export async function openApp(options: AppOptions): Promise<App> {
  const {
    config,
    files,
    clock = systemClock,
    monotonic = monotonicClock,
    log = openLog(options.config),
  } = options
  await using stack = new AsyncDisposableStack()
  const free = options.freeBytes ?? freeBytes
  const bounds = { total: config.connections, perHost: config.hostConnections }
  const runner = stack.use(new WorkerPool({ workerUrl: files.workerUrl, bounds, log }))
  const prepared = runner.prepare()
  const { dir, db, fileDeletionStore } = stack.use(openServiceData(config, files.migrationsDir, free, log))
  const assertRoomLeft = () => assertRoom(dir, free)
  const { accounts, owner, signIn, usageStore, usage } = openAccountParts(db, config.plans, clock)
  const apiKeyStore = openApiKeyStore(db)
  const apiKeys = stack.use(openApiKeys(apiKeyStore, clock, log))
  if (config.ownerKeyFile !== null) shareKeyFile(config.ownerKeyFile, owner.id, apiKeys)

  const jobStore = openJobStore(db)
  const transitions = openTransitionStore(db)
  const live = openLiveProgress(monotonic)
  const archiveStore = openConfiguredStore(config)
  const finishedArchives = openFinishedArchives(dir, archiveStore, jobStore, clock, log)
  const { metrics, jobWaited } = openServiceMetrics({
    jobsByStatus: jobStore.countsOfAllUsers,
    connectionsInUse: () => runner.connectionsInUse,
    fetchedBytes: () => live.fetchedBytes,
    freeBytes: () => free(dir.archives),
    databasePath: dir.database,
  })
  const writes = stack.use(openWriteQueue())
  const shutdown = stack.use(
    new ConcurrentShutdown(STOP_MS, () =>
      log.warn('a part of the service did not stop in time: the process ends without it'),
    ),
  )
  const { scheduler, sweeper, fileDeletions, transfer } = openSchedulingParts(
    {
      db,
      dir,
      archiveStore,
      fileDeletionStore,
      store: jobStore,
      transitions,
      writes,
      live,
      runner,
      plans: config.plans,
      limit: config.jobs,
      archiveLink: finishedArchives.linkTo,
      accounts,
      owner,
      usage: usageStore,
      apiKeys: apiKeyStore,
      keepDetailsDays: config.keepDetails,
      freeBytes: () => free(dir.archives),
      onFirstStart: (waitedMs) => jobWaited(waitedMs / 1000),
      clock,
      monotonic,
      log,
    },
    shutdown,
  )
  await scheduler.releaseAbandonedJobs()
  const jobs = openJobs({
    store: jobStore,
    bases: openBases(db, jobStore, clock),
    transitions,
    settings: openJobSettingsStore(db),
    live,
    runs: scheduler,
    usage,
    plans: config.plans,
    clock,
    assertRoom: assertRoomLeft,
    deleteFiles: fileDeletions.deleteFiles,
  })
  const administration = openAdministration({
    db,
    config,
    dir,
    accounts,
    signIn,
    usage,
    jobs: jobStore,
    transitions,
    clock,
    freeBytes: free,
    connectionsInUse: () => runner.connectionsInUse,
    storeTrouble: transfer.trouble,
    startAtLogin: options.startAtLogin ?? null,
    halt: scheduler.halt,
    deleteFiles: fileDeletions.deleteFiles,
  })

  let isStopping = false
  const runId = crypto.randomUUID()
  const downloads = openDownloads(jobStore, openSigningSecrets(dir.signingSecrets), finishedArchives, clock)
  const webhookService = shutdown.use(
    openWebhookService({
      db,
      writes,
      live,
      metrics,
      allowedNetworks: config.allowNetworks,
      bodyOf: (message) => webhookMessageJson(message, downloads.downloadUrlOf, config.baseUrl),
      clock,
      log,
    }),
  )
  await prepared
  const http = shutdown.use(
    await listen({
      apiKeys,
      signIn,
      administration,
      jobs,
      live,
      entries: openEntries(jobStore, live),
      downloads,
      shared: openSharedArchives(downloads, openArchivedEntryStore(db), live, log),
      webhooks: webhookService.webhooks,
      usage,
      settings: config,
      clock,
      uiDir: files.uiDir,
      log,
      health: openHealth({ db, dir, log, isStopping: () => isStopping, assertRoom: assertRoomLeft }),
      runId,
      metrics,
      countDamaged: finishedArchives.countDamaged,
      storeTrouble: transfer.trouble,
    }),
  )
  const origin = config.baseUrl ?? http.origin
  writeServiceOrigin(dir.serviceOrigin, { origin, localOrigin: http.origin, runId })
  stack.defer(() => {
    isStopping = true
    rmSync(dir.serviceOrigin, { force: true })
  })
  sweeper.start()
  webhookService.start(http.port)
  transfer.start()
  scheduler.start({ allowedNetworks: config.allowNetworks, ownPort: http.port })

  const hasSignedIn = () => accounts.hasSignedIn(owner.id)
  const link = hasSignedIn() ? null : signInLink(origin, signIn.issueToken(owner.id).token)
  db.useServiceBusyTimeout()

  const parts = stack.move()
  return {
    origin,
    localOrigin: http.origin,
    sweeper,
    firstSignInLink: () => (hasSignedIn() ? null : link),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}
