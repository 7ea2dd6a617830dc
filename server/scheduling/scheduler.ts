import { once } from 'node:events'
import type { WriteQueue } from '../db/write-queue.ts'
import { checkpointBytes } from '../engine/checkpoint/spaces.ts'
import type { JobOutcome, NetworkPolicy } from '../engine/job-order.ts'
import { CANCELLED, type Claim } from '../jobs/job.ts'
import type { RunControl } from '../jobs/jobs.ts'
import type { CheckpointStore } from '../jobs/lifecycle/checkpoint-store.ts'
import type { TransitionStore } from '../jobs/lifecycle/transition-store.ts'
import type { LiveProgress } from '../jobs/progress.ts'
import type { JobQueries } from '../jobs/reading/query-store.ts'
import { openFailureLog } from '../logging/failure-log.ts'
import type { Log } from '../logging/log.ts'
import type { Clock } from '../time/clock.ts'
import { pause } from '../time/pause.ts'
import { settlesWithin } from '../time/settles-within.ts'
import type { RunClaim } from './run-claim.ts'
import { openSlotSharing, type Slot } from './slot-sharing.ts'
import { trimCheckpoint } from './trim-checkpoint.ts'
import type { Uploads } from './uploads.ts'

export interface SchedulerOptions {
  readonly store: JobQueries
  readonly transitions: TransitionStore
  readonly checkpoints: CheckpointStore
  /** The ends of runs are recorded in this queue, after all that the runs have reported. */
  readonly writes: WriteQueue
  readonly live: LiveProgress
  /** The number of jobs that run at once. A change applies to the next start of a job. */
  limit(): number
  readonly clock: Clock
  readonly log: Log
  archivePath(jobId: string): string
  readonly runClaim: RunClaim
  /** Ends the run of a job whose archive goes to the archive store; null when archives stay in the archive directory. */
  readonly beginUpload: Uploads['begin'] | null
  /** Called when a job starts for the first time, with the milliseconds that it has waited. */
  onFirstStart(waitedMs: number): void
}

/**
 * Runs pending jobs, a limited number at once, and shares the slots evenly between users. Disposing of it stops every run at
 * its checkpoint and waits for all of them.
 */
export interface Scheduler extends RunControl, AsyncDisposable {
  /** Makes jobs pending again whose process died while it ran them. Call it before `start`. */
  releaseAbandonedJobs(): Promise<void>
  /** Begins to claim pending jobs. Each run gets the policy of its time. */
  start(network: () => NetworkPolicy): void
  /** Stops all runs at their checkpoints. The jobs go on at once, with the policy of that time. */
  restartRuns(): void
}

interface Run {
  readonly claim: Claim
  readonly stop: AbortController
  /** Set by `cancel`: resolves with whether the job ended as cancelled, or rejects when that could not be recorded yet. */
  cancelled: PromiseWithResolvers<boolean> | null
  /** The job has ended and its outcome is being recorded: the run can't be stopped any more. */
  isEnding: boolean
  ended: Promise<void>
}

/** How long a user whose job was preempted gets no slot back, since other users may create small jobs one after another. */
const HOLD_BACK_MS = 2000

/**
 * How long `halt` and `cancel` wait for a run to stop. The runner terminates the thread earlier, but a thread that is stuck in
 * a system call ends only when that call returns. Then the client gets its response, and the job's next run waits instead.
 */
const STOP_TIMEOUT_MS = 6500

/** The delay before the next attempt when the database has refused a write. */
const RETRY_MS = 2000

export function openScheduler(options: SchedulerOptions): Scheduler {
  const { store, transitions, checkpoints, writes, live, clock, log, runClaim, archivePath } = options
  const runs = new Map<string, Run>()
  const sharing = openSlotSharing(options.limit)
  const closing = new AbortController()
  let holdBackTimer: Timer | undefined
  let claimTimer: Timer | undefined
  let network: (() => NetworkPolicy) | null = null
  const claims = openFailureLog(log, 'pending jobs could not be claimed')

  function claimMore(): void {
    clearTimeout(claimTimer)
    if (network === null) return
    try {
      for (;;) {
        const decision = sharing.next(slots(), store.usersWithPending)
        if (decision === null) return
        if (decision.kind === 'preempt') {
          preempt(decision.slot)
          return
        }
        const claim = transitions.claimOldest(decision.userId, decision.maxUrls)
        claims.noteSuccess()
        if (claim === null) return
        sharing.recordClaim(claim.userId)
        if (claim.claimNumber === 1) options.onFirstStart(clock() - claim.createdAt)
        log.info('job started', { job: claim.jobId })
        begin(claim, network())
      }
    } catch (error) {
      claims.noteError(error)
      claimTimer = setTimeout(claimMore, RETRY_MS)
    }
  }

  function slots(): Slot[] {
    return [...runs].map(([jobId, { claim, stop, isEnding }]) => {
      const isStopping = stop.signal.aborted
      const { userId, urlCount } = claim
      return { jobId, userId, urlCount, isStopping, isPreemptible: !isStopping && !isEnding }
    })
  }

  function preempt(slot: Slot): void {
    log.info('a job was preempted for a job of another user', { job: slot.jobId })
    sharing.holdBack(slot, slots())
    clearTimeout(holdBackTimer)
    holdBackTimer = setTimeout(endHoldBacks, HOLD_BACK_MS)
    runs.get(slot.jobId)?.stop.abort()
  }

  function endHoldBacks(): void {
    sharing.endHoldBacks()
    claimMore()
  }

  function begin(claim: Claim, policy: NetworkPolicy): void {
    const run: Run = {
      claim,
      stop: new AbortController(),
      cancelled: null,
      isEnding: false,
      ended: Promise.resolve(),
    }
    const previous = runs.get(claim.jobId)
    runs.set(claim.jobId, run)
    run.ended = perform(run, policy, previous)
      .catch((error) => log.error('the end of a job could not be recorded', { job: claim.jobId, error }))
      .then(claimMore)
  }

  /** @param previous an earlier run of the job whose thread may still write to its files */
  async function perform(run: Run, policy: NetworkPolicy, previous: Run | undefined): Promise<void> {
    try {
      if (previous !== undefined) await Promise.race([previous.ended, once(run.stop.signal, 'abort')])
      const outcome = await runClaim(run.claim, policy, run.stop)
      run.isEnding = true
      await recordOutcome(run, outcome)
    } finally {
      removeRun(run)
    }
  }

  function trim(jobId: string): Promise<number> {
    return trimCheckpoint({ checkpoints, writes, log, archivePath }, jobId)
  }

  function removeRun(run: Run): void {
    const { claim, cancelled } = run
    if (runs.get(claim.jobId) !== run) return
    runs.delete(claim.jobId)
    cancelled?.resolve(false)
    live.end(claim)
  }

  /** Repeats until the database accepts the outcome, for example while the disk is full: nothing else records it. */
  async function recordOutcome(run: Run, outcome: JobOutcome): Promise<void> {
    const tries = openFailureLog(log, 'the end of a job could not be recorded')
    for (;;) {
      try {
        const heldBytes = outcome.status === 'completed' ? 0 : await trim(run.claim.jobId)
        return await writes.run(() => {
          record(run, outcome, heldBytes)
          // In the same turn of the event loop, since a retry may make the job pending and claim it again at once.
          removeRun(run)
        })
      } catch (error) {
        tries.noteError(error, { job: run.claim.jobId })
        run.cancelled = nextCancel(run.cancelled, error)
        await pause(RETRY_MS, closing.signal)
      }
    }
  }

  function record({ claim, cancelled }: Run, outcome: JobOutcome, heldBytes: number): void {
    switch (outcome.status) {
      case 'completed':
        if (options.beginUpload !== null) options.beginUpload(claim, outcome)
        else if (transitions.complete(claim, outcome, clock())) {
          log.info('job completed', { job: claim.jobId, files: outcome.fileCount, bytes: outcome.zipBytes })
        }
        break
      case 'failed':
        if (transitions.fail(claim, outcome.failure, heldBytes, clock())) {
          log.info('job failed', { job: claim.jobId, code: outcome.failure.code })
        }
        break
      case 'stopped':
        if (cancelled === null) transitions.release(claim, heldBytes)
        else cancelled.resolve(transitions.fail(claim, CANCELLED, heldBytes, clock()))
        break
    }
  }

  return {
    async releaseAbandonedJobs() {
      for (const jobId of store.running()) transitions.releaseAbandoned(jobId, await trim(jobId))
    },
    start(policy) {
      network = policy
      claimMore()
    },
    restartRuns() {
      for (const { stop, isEnding } of runs.values()) if (!isEnding) stop.abort()
    },
    wake: () => queueMicrotask(claimMore),
    async halt(jobId) {
      const run = runs.get(jobId)
      run?.stop.abort()
      if (run !== undefined) await settlesWithin(run.ended, STOP_TIMEOUT_MS)
    },
    async cancel(jobId) {
      const run = runs.get(jobId)
      if (run === undefined) return false
      run.cancelled ??= Promise.withResolvers()
      run.stop.abort()
      const { promise, resolve } = run.cancelled
      if (!(await settlesWithin(promise, STOP_TIMEOUT_MS))) {
        // The thread is stuck and may still write to the file, so its size is taken from the checkpoint.
        const { lengthBytes } = checkpointBytes(checkpoints.checkpointOf(jobId))
        resolve(transitions.fail(run.claim, CANCELLED, lengthBytes, clock()))
        live.changed(run.claim)
      }
      return promise
    },
    async [Symbol.asyncDispose]() {
      network = null
      clearTimeout(holdBackTimer)
      clearTimeout(claimTimer)
      closing.abort()
      for (const run of runs.values()) run.stop.abort()
      await Promise.all([...runs.values()].map((run) => run.ended))
    },
  }
}

/** Rejects the requests that wait for a cancel that could not be recorded yet. Later requests wait for the next attempt. */
function nextCancel(cancelled: Run['cancelled'], error: unknown): Run['cancelled'] {
  if (cancelled === null) return null
  cancelled.reject(error)
  const next = Promise.withResolvers<boolean>()
  // There may be no later request.
  next.promise.catch(() => {})
  return next
}
