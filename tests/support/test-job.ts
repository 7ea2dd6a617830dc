import { applyChanges } from '../../server/engine/checkpoint/apply-changes.ts'
import type { Checkpoint, CheckpointChange } from '../../server/engine/checkpoint/checkpoint.ts'
import type { ConnectionBounds } from '../../server/engine/connections/pool/connection-pool.ts'
import {
  type JobOrder,
  type JobOutcome,
  type JobProgress,
  type Source,
  type SourcesInMemory,
  sourcesFrom,
} from '../../server/engine/job-order.ts'
import { openLocalRunner } from '../../server/engine/threads/local-runner.ts'
import { FETCH_LIMITS, type FetchLimits } from '../../server/fetching/attempts/fetch-limits.ts'
import type { FetchSettings } from '../../server/fetching/fetch-settings.ts'
import { DEFAULT_FETCH_SETTINGS } from './default-fetch-settings.ts'
import { plainOrder } from './plain-order.ts'
import { PROGRAM_FILES } from './service.ts'

/** A job that runs on the engine without a service or a database. Its checkpoint is in memory. */
export interface TestJob {
  readonly archivePath: string
  readonly checkpoint: Checkpoint
  /** Every batch of changes, in order. */
  readonly commits: readonly (readonly CheckpointChange[])[]
  readonly progress: readonly JobProgress[]
  /** Each host that was given up, with the error. */
  readonly givenUp: readonly (readonly [host: string, error: string])[]
  /** What the proxy did wrong, in words. */
  readonly proxyProblems: readonly string[]
  /** The errors of failed URLs, in URL order. */
  readonly errors: readonly (readonly [position: number, error: string])[]
  run(options?: RunOptions): Promise<JobOutcome>
}

export interface RunOptions {
  readonly order?: Partial<Omit<JobOrder, 'sources'>> & { readonly sources?: SourcesInMemory }
  readonly limits?: Partial<FetchLimits>
  readonly fetching?: Partial<Omit<FetchSettings, 'limits'>>
  /** The defaults of the settings, if not given. */
  readonly bounds?: ConnectionBounds
  readonly stop?: AbortSignal
  /** By which rates are measured. */
  readonly nowMs?: () => number
  /** The program of the compression helpers. */
  readonly workerUrl?: URL
  /** Called after each batch of checkpoint changes, so that a test can stop the job there. */
  readonly onCommit?: (changes: readonly CheckpointChange[], durable: boolean) => void
}

/** The backoff is short. Timeouts have their real values, so that no source times out on a busy machine. */
const SHORT_BACKOFF: FetchLimits = { ...FETCH_LIMITS, firstBackoffMs: 5, maxRetryAfterMs: 50 }

/** For tests with sources that never answer. Long enough for the others on a busy machine. */
export const SHORT_TIMEOUTS = {
  connectTimeoutMs: 1000,
  headersTimeoutMs: 1000,
  idleTimeoutMs: 1000,
  fruitlessMs: 2500,
}

export function testJob(archivePath: string, sources: readonly (string | Source)[]): TestJob {
  let checkpoint: Checkpoint = { entries: [], move: null, settledBytes: 0 }
  const commits: (readonly CheckpointChange[])[] = []
  const progress: JobProgress[] = []
  const givenUp: [string, string][] = []
  const proxyProblems: string[] = []
  return {
    archivePath,
    commits,
    progress,
    givenUp,
    proxyProblems,
    get checkpoint() {
      return checkpoint
    },
    get errors() {
      const failed = checkpoint.entries.filter((entry) => entry.status === 'failed')
      return failed
        .sort((a, b) => a.position - b.position)
        .map((entry) => [entry.position, entry.error] as const)
    },
    run({
      order,
      limits,
      fetching,
      bounds = { total: 64, perHost: 32 },
      stop = new AbortController().signal,
      nowMs = () => performance.now(),
      workerUrl = PROGRAM_FILES.workerUrl,
      onCommit,
    } = {}) {
      const listed = sources.map((source) =>
        typeof source === 'string' ? { url: source, filename: null } : source,
      )
      const runner = openLocalRunner({
        workerUrl,
        bounds,
        fetching: { ...DEFAULT_FETCH_SETTINGS, ...fetching, limits: { ...SHORT_BACKOFF, ...limits } },
        proxyFailed: (_proxy, problem) => proxyProblems.push(problem),
        nowMs,
        hostGivenUp: (host, error) => givenUp.push([host, error]),
        internalError: (error) => {
          throw error
        },
      })
      return runner.run(
        {
          ...plainOrder(archivePath, []),
          failOnUrlError: false,
          checkpoint,
          ...order,
          sources: sourcesFrom(order?.sources ?? listed),
        },
        {
          progress: (report) => progress.push(report),
          async commit({ changes, durable }) {
            checkpoint = applyChanges(checkpoint, changes)
            commits.push(changes)
            onCommit?.(changes, durable)
          },
        },
        stop,
      )
    },
  }
}
