import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import { checkpointBytes } from '../engine/checkpoint-spaces.ts'
import type { JobOutcome, NetworkPolicy } from '../engine/job-order.ts'
import { reclaimSpace } from '../engine/reclaim-space.ts'
import { CANCELLED, type Claim } from '../jobs/job.ts'
import type { JobStore } from '../jobs/job-store.ts'
import type { JobRuns } from '../jobs/jobs.ts'
import { logChanges } from '../log-changes.ts'
import { settledWithin } from '../settled-within.ts'
import { type ClaimRunnerOptions, openClaimRunner } from './run-claim.ts'
import { openTurns, type Slot, slotToGive } from './turns.ts'

export interface SchedulerOptions extends ClaimRunnerOptions {
  readonly store: JobStore
  /** Jobs run at once. */
  readonly limit: number
  readonly clock: Clock
  /** Told how long a job has waited when it starts for the first time, in milliseconds. */
  waited(ms: number): void
}

/**
 * Gives pending jobs to the runner, a bounded number at once and fairly between users. Disposing of it stops
 * every run at its checkpoint and waits for them.
 */
export interface Scheduler extends JobRuns, AsyncDisposable {
  /** Takes up what a dead process left behind. */
  takeUp(): Promise<void>
  /** Begins to claim. */
  start(network: NetworkPolicy): void
}

interface Run {
  readonly claim: Claim
  readonly stop: AbortController
  /** Set by who cancels the job: whether it ended so, or why that could not be recorded yet. */
  cancelled: PromiseWithResolvers<boolean> | null
  /** The job has ended and its end is being written down: the run can't be stopped any more. */
  isEnding: boolean
  ended: Promise<void>
}

/** How long a user whose run gave way leaves the slot to others: they may come with one small job after the other. */
const REST_MS = 2000

/**
 * How long a job that is cancelled or deleted is waited for. Its thread is ended before that, but one that is stuck in a
 * call to the system ends when that does: who asked gets an answer, and the next run of the job waits in their place.
 */
const LET_GO_MS = 6500

/** Until what the database refused is tried again: long enough to leave the log readable while the disk is full. */
const AGAIN_MS = 2000

export function openScheduler(options: SchedulerOptions): Scheduler {
  const { store, transitions, checkpoints, writes, live, clock, log } = options
  const runClaim = openClaimRunner(options)
  const runs = new Map<string, Run>()
  const turns = openTurns()
  const closing = new AbortController()
  let resting: Timer | undefined
  let claimingAgain: Timer | undefined
  let network: NetworkPolicy | null = null
  const claims = logChanges(log, 'pending jobs could not be claimed')

  function claimMore(): void {
    clearTimeout(claimingAgain)
    if (network === null) return
    try {
      for (;;) {
        const userId = turns.next(store.usersWithPending(), slots())
        if (userId === undefined) return
        if (runs.size >= options.limit) {
          makeWay(userId)
          return
        }
        const claim = transitions.claimOldest(userId)
        claims.worked()
        if (claim === null) return
        turns.served(claim.userId)
        if (claim.claimNumber === 1) options.waited(clock() - claim.createdAt)
        log.info('job started', { job: claim.jobId })
        begin(claim, network)
      }
    } catch (error) {
      claims.failed(error)
      claimingAgain = setTimeout(claimMore, AGAIN_MS)
    }
  }

  function slots(): Slot[] {
    return [...runs].map(([jobId, { claim, stop, isEnding }]) => {
      return { jobId, userId: claim.userId, mayGiveWay: !stop.signal.aborted && !isEnding }
    })
  }

  /** All slots are taken: lets a user who has too many of them give one to this one, whose turn it is. */
  function makeWay(waitingUserId: string): void {
    const isOneLeaving = [...runs.values()].some((run) => run.stop.signal.aborted)
    const taken = slots()
    const slot = isOneLeaving ? undefined : slotToGive(taken, waitingUserId)
    if (slot === undefined) return
    log.info('a job gives way to one of another user', { job: slot.jobId })
    const left = taken.filter(({ userId }) => userId === slot.userId).length - 1
    turns.rest(slot.userId, left)
    clearTimeout(resting)
    resting = setTimeout(endRests, REST_MS)
    runs.get(slot.jobId)?.stop.abort()
  }

  function endRests(): void {
    turns.endRests()
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
    const last = runs.get(claim.jobId)
    runs.set(claim.jobId, run)
    run.ended = perform(run, policy, last)
      .catch((error) => log.error('the end of a job could not be recorded', { job: claim.jobId, error }))
      .then(claimMore)
  }

  /** @param last the run before, if its thread may still hold the files of the job */
  async function perform(run: Run, policy: NetworkPolicy, last: Run | undefined): Promise<void> {
    try {
      if (last !== undefined) await Promise.race([last.ended, once(run.stop.signal, 'abort')])
      const outcome = await runClaim(run.claim, policy, run.stop)
      run.isEnding = true
      await recordUntilHeard(run, outcome)
    } finally {
      leave(run)
    }
  }

  function leave(run: Run): void {
    const { claim, cancelled } = run
    if (runs.get(claim.jobId) !== run) return
    runs.delete(claim.jobId)
    cancelled?.resolve(false)
    live.end(claim)
  }

  /** On a full disk, for one, it takes more than one try: nobody else would ever tell how the job ended. */
  async function recordUntilHeard(run: Run, outcome: JobOutcome): Promise<void> {
    const tries = logChanges(log, 'the end of a job could not be recorded')
    for (;;) {
      try {
        const heldBytes = outcome.status === 'completed' ? 0 : await settle(run.claim.jobId)
        return await writes.run(() => {
          record(run, outcome, heldBytes)
          // At once when the row says so: a retry may claim the job anew in the next moment.
          leave(run)
        })
      } catch (error) {
        tries.failed(error, { job: run.claim.jobId })
        run.cancelled = askAgain(run.cancelled, error)
        await pause(AGAIN_MS, undefined, { signal: closing.signal })
      }
    }
  }

  /** Gives back what the job can't go on from; returns the bytes that it holds. */
  async function settle(jobId: string): Promise<number> {
    // Behind what the run has handed out.
    const checkpoint = await writes.run(() => checkpoints.checkpointOf(jobId))
    try {
      return await reclaimSpace({ archivePath: options.archivePath(jobId) }, checkpoint)
    } catch (error) {
      log.error('what a job no longer needs could not be given back', { job: jobId, error })
      return checkpointBytes(checkpoint).lengthBytes
    }
  }

  function record({ claim, cancelled }: Run, outcome: JobOutcome, heldBytes: number): void {
    switch (outcome.status) {
      case 'completed':
        if (transitions.complete(claim, outcome, clock())) {
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
    async takeUp() {
      for (const jobId of store.processing()) transitions.releaseAbandoned(jobId, await settle(jobId))
    },
    start(policy) {
      network = policy
      claimMore()
    },
    wake: () => queueMicrotask(claimMore),
    async halt(jobId) {
      const run = runs.get(jobId)
      run?.stop.abort()
      if (run !== undefined) await settledWithin(run.ended, LET_GO_MS)
    },
    async cancel(jobId) {
      const run = runs.get(jobId)
      if (run === undefined) return false
      run.cancelled ??= Promise.withResolvers()
      run.stop.abort()
      const { promise, resolve } = run.cancelled
      if (!(await settledWithin(promise, LET_GO_MS))) {
        // The file itself can't be asked while its thread is stuck.
        const { lengthBytes } = checkpointBytes(checkpoints.checkpointOf(jobId))
        resolve(transitions.fail(run.claim, CANCELLED, lengthBytes, clock()))
        live.changed(run.claim)
      }
      return promise
    },
    async [Symbol.asyncDispose]() {
      network = null
      clearTimeout(resting)
      clearTimeout(claimingAgain)
      closing.abort()
      for (const run of runs.values()) run.stop.abort()
      await Promise.all([...runs.values()].map((run) => run.ended))
    },
  }
}

/** Tells who waits for a cancel why it could not be recorded yet. Who asks again waits for the next try. */
function askAgain(cancelled: Run['cancelled'], error: unknown): Run['cancelled'] {
  if (cancelled === null) return null
  cancelled.reject(error)
  const next = Promise.withResolvers<boolean>()
  // Perhaps nobody asks again.
  next.promise.catch(() => {})
  return next
}
