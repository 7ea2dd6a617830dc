// server/decisions/interrupted-runs.md says when a crashed job runs again.

import type { Plans } from '../accounts/plan.ts'
import type { WriteQueue } from '../db/write-queue.ts'
import type { BaseOrder, JobFailure, JobOutcome, NetworkPolicy } from '../engine/job-order.ts'
import { type JobRecorder, type JobRunner, WorkerCrashed } from '../engine/job-runner.ts'
import type { Base, Claim } from '../jobs/job.ts'
import type { CheckpointStore } from '../jobs/lifecycle/checkpoint-store.ts'
import type { TransitionStore } from '../jobs/lifecycle/transition-store.ts'
import type { LiveProgress } from '../jobs/progress.ts'
import type { Log } from '../logging/log.ts'
import type { Logins } from '../sites/logins.ts'

export interface ClaimRunnerOptions {
  readonly transitions: TransitionStore
  readonly checkpoints: CheckpointStore
  readonly logins: Pick<Logins, 'rulesFor' | 'answered'>
  /** Writes of runs wait in this queue, in order, while another process holds the database. */
  readonly writes: WriteQueue
  readonly live: LiveProgress
  readonly runner: JobRunner
  readonly plans: Plans
  readonly log: Log
  /** Downloads of archives while they are packed. */
  readonly early: {
    /** One number: how many clients download the archive of a job now. It changes meanwhile. */
    readersOf(jobId: string): Int32Array<SharedArrayBuffer>
    /** Called when more bytes of an archive are settled, or fewer. */
    archiveGrew(jobId: string): void
  }
  archivePath(jobId: string): string
  /** A link to the archive of a job in the archive store; null when it is in the archive directory, or there is none. */
  archiveLink(jobId: string): Promise<string | null>
}

/** Runs a claimed job to its outcome, in another thread when one crashes. The caller records the outcome. */
export type RunClaim = (claim: Claim, policy: NetworkPolicy, stop: AbortController) => Promise<JobOutcome>

const CRASHED: JobFailure = {
  code: 'INTERNAL_ERROR',
  message: 'The job failed because of a fault in the service. A retry continues from its checkpoint.',
}

/** If so many consecutive runs crash without changing the checkpoint, the job itself must be the cause. */
const MAX_CRASHES = 10

export function openClaimRunner(options: ClaimRunnerOptions): RunClaim {
  const { transitions, checkpoints, logins, writes, live, runner, log } = options
  return runClaim

  async function runClaim(claim: Claim, policy: NetworkPolicy, stop: AbortController): Promise<JobOutcome> {
    let { crashes } = claim
    while (crashes < MAX_CRASHES) {
      try {
        return await runOnce(claim, policy, stop)
      } catch (error) {
        // In the write queue, so that it runs after every checkpoint change that the crashed run has reported.
        crashes =
          error instanceof WorkerCrashed ? await writes.run(() => transitions.countCrash(claim)) : MAX_CRASHES
        log.error('a job crashed', { job: claim.jobId, crashes, error })
        // The thread crashed instead of stopping, but the job was to stop in any case.
        if (stop.signal.aborted) return { status: 'stopped' }
      }
    }
    return { status: 'failed', failure: CRASHED }
  }

  async function baseOrder({ jobId, reuse }: Base, keepFrom: number | null): Promise<BaseOrder> {
    return { path: options.archivePath(jobId), link: await options.archiveLink(jobId), reuse, keepFrom }
  }

  /** Runs the job from its current checkpoint. */
  async function runOnce(claim: Claim, policy: NetworkPolicy, stop: AbortController): Promise<JobOutcome> {
    const job = checkpoints.load(claim.jobId)
    if (job === null) return { status: 'stopped' }
    live.begin(claim, (position) => checkpoints.urlOf(claim.jobId, position))
    const order = {
      jobId: claim.jobId,
      group: claim.userId,
      archivePath: options.archivePath(claim.jobId),
      sources: job.sources,
      failOnUrlError: job.failOnUrlError,
      failOnWarning: job.failOnWarning,
      hasManifest: job.hasManifest,
      maxZipBytes: options.plans[job.plan].maxZipBytes,
      maxDeclaredBytes: Math.max(...Object.values(options.plans).map(({ maxZipBytes }) => maxZipBytes)),
      checkpoint: job.checkpoint,
      earlyReaders: options.early.readersOf(claim.jobId),
      base: job.base === null ? null : await baseOrder(job.base, job.keepFrom),
      network: policy,
      originRules: logins.rulesFor(claim),
      cookies: [],
    }
    const recorder: JobRecorder = {
      async commit({ changes, durable, counts }) {
        const isClaimed = await writes.run(() => checkpoints.commit(claim, changes, counts, durable))
        // A command in another process may have removed the job with its user.
        if (!isClaimed) stop.abort()
        else if (changes.some(({ kind }) => kind === 'settle')) options.early.archiveGrew(claim.jobId)
      },
      progress(progress) {
        live.record(claim.jobId, progress)
      },
      loginAnswered: logins.answered,
    }
    return await runner.run(order, recorder, stop.signal)
  }
}
