import { unpausedTimeout } from '../../time/unpaused-time.ts'
import { WorkerCrashed } from '../job-runner.ts'
import type { FromRun, FromWorker, ToWorker } from './messages.ts'

export interface SupervisionTimeouts {
  /** A thread that sends no message for this long counts as hung. */
  readonly heartbeatTimeoutMs?: number
  /** A thread whose job has not stopped after this long counts as hung. */
  readonly stopTimeoutMs?: number
}

/** A run of a job in a thread. */
export interface SupervisedRun {
  readonly runId: number
  readonly worker: Worker
  /** Stops the run. May be aborted already. */
  readonly signal: AbortSignal
  /** Called with each message of the run. An error that it throws fails this run, not the service. */
  handle(message: FromRun): void
  /** Called with `WorkerCrashed`, or with the error of `handle`, perhaps several times. */
  fail(error: unknown): void
}

/**
 * Runs in the main thread. Supervises a run, until disposed of: passes on its messages, tells its thread to stop when the signal is
 * aborted, and fails the run when the thread crashes, hangs or does not stop. Call it when the order was posted.
 */
export function superviseRun(
  { runId, worker, signal, handle, fail }: SupervisedRun,
  { heartbeatTimeoutMs = HEARTBEAT_TIMEOUT_MS, stopTimeoutMs = STOP_TIMEOUT_MS }: SupervisionTimeouts,
): Disposable {
  let missedTicks = 0
  let stopTimeout: Disposable | undefined
  const onMessage = ({ data }: MessageEvent<FromWorker>) => {
    missedTicks = 0
    // A message of an earlier run was on its way when that run ended.
    if (data.runId !== runId) return
    try {
      handle(data)
    } catch (error) {
      fail(error)
    }
  }
  const onCrash = (event: Event) => {
    fail(new WorkerCrashed(event instanceof ErrorEvent ? event.message : 'the thread ended'))
  }
  const onStop = () => {
    worker.postMessage({ type: 'stop', runId } satisfies ToWorker)
    stopTimeout = unpausedTimeout(stopTimeoutMs, () => fail(new WorkerCrashed('the thread did not stop')))
  }
  const heartbeatCheck = setInterval(() => {
    // Counts ticks of this thread instead of time: while this thread was blocked, it received no messages.
    missedTicks += 1
    if (missedTicks > MISSED_TICKS) fail(new WorkerCrashed('the thread hung'))
  }, heartbeatTimeoutMs / MISSED_TICKS)
  worker.addEventListener('message', onMessage)
  worker.addEventListener('error', onCrash)
  // A crash may close the thread with code 0 and no other event.
  worker.addEventListener('close', onCrash)
  // A signal that is aborted already calls no listener.
  if (signal.aborted) onStop()
  else signal.addEventListener('abort', onStop, { once: true })
  return {
    [Symbol.dispose]() {
      clearInterval(heartbeatCheck)
      stopTimeout?.[Symbol.dispose]()
      worker.removeEventListener('message', onMessage)
      worker.removeEventListener('error', onCrash)
      worker.removeEventListener('close', onCrash)
      signal.removeEventListener('abort', onStop)
    },
  }
}

/** A thread sends a heartbeat each second. Only a sync of a very slow disk delays it for long. */
const HEARTBEAT_TIMEOUT_MS = 60_000
const MISSED_TICKS = 10

/** A stopping job only commits its last batch. A stop of the service waits for it. */
const STOP_TIMEOUT_MS = 5000
