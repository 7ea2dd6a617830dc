import { applyChanges } from '../../server/engine/apply-changes.ts'
import type { Checkpoint, CheckpointChange } from '../../server/engine/checkpoint.ts'
import type { JobOrder, JobOutcome, JobProgress, Source } from '../../server/engine/job-order.ts'
import { openLocalRunner } from '../../server/engine/local-runner.ts'
import { FETCH_LIMITS, type FetchLimits } from '../../server/fetching/fetch-limits.ts'

/** A job for the engine alone: no service, no database, its checkpoint in memory. */
export interface TestJob {
  readonly archivePath: string
  readonly checkpoint: Checkpoint
  /** Every batch of changes, in order. */
  readonly commits: readonly (readonly CheckpointChange[])[]
  readonly progress: readonly JobProgress[]
  /** Hosts that were given up, and why. */
  readonly givenUp: readonly (readonly [host: string, error: string])[]
  /** What could not be fetched, in URL order. */
  readonly errors: readonly (readonly [position: number, error: string])[]
  run(options?: RunOptions): Promise<JobOutcome>
}

export interface RunOptions {
  readonly order?: Partial<JobOrder>
  readonly limits?: Partial<FetchLimits>
  readonly stop?: AbortSignal
  /** Called after each batch of the checkpoint, for tests that stop a job there. */
  readonly onCommit?: (changes: readonly CheckpointChange[]) => void
}

/** Short pauses between attempts. Timeouts are the real ones, so that a busy machine makes no source time out. */
const SHORT_PAUSES: FetchLimits = { ...FETCH_LIMITS, firstBackoffMs: 5, maxRetryAfterMs: 50 }

/** For tests whose sources stay silent. */
export const SHORT_TIMEOUTS = { connectTimeoutMs: 400, headersTimeoutMs: 400, idleTimeoutMs: 400 }

export function testJob(archivePath: string, sources: readonly (string | Source)[]): TestJob {
  let checkpoint: Checkpoint = { entries: [], move: null }
  const commits: (readonly CheckpointChange[])[] = []
  const progress: JobProgress[] = []
  const givenUp: [string, string][] = []
  return {
    archivePath,
    commits,
    progress,
    givenUp,
    get checkpoint() {
      return checkpoint
    },
    get errors() {
      const failed = checkpoint.entries.filter((entry) => entry.status === 'failed')
      return failed
        .sort((a, b) => a.position - b.position)
        .map((entry) => [entry.position, entry.error] as const)
    },
    run({ order, limits, stop = new AbortController().signal, onCommit } = {}) {
      const runner = openLocalRunner({
        bounds: { total: 64, perHost: 32 },
        limits: { ...SHORT_PAUSES, ...limits },
        hostGivenUp: (host, error) => givenUp.push([host, error]),
        internalError: (error) => {
          throw error
        },
      })
      return runner.run(
        {
          jobId: 'test',
          group: 'test',
          archivePath,
          sources: sources.map((source) =>
            typeof source === 'string' ? { url: source, filename: null } : source,
          ),
          failOnUrlError: false,
          maxZipBytes: 50e9,
          checkpoint,
          network: { allowedNetworks: ['127.0.0.0/8'], ownPort: null },
          ...order,
        },
        {
          progress: (report) => progress.push(report),
          commit({ changes }) {
            checkpoint = applyChanges(checkpoint, changes)
            commits.push(changes)
            onCommit?.(changes)
          },
        },
        stop,
      )
    },
  }
}
