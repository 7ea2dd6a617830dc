import { unpausedTimeout } from '../../time/unpaused-time.ts'
import { WorkerCrashed } from '../job-runner.ts'
import type { FromWorker, ToWorker } from './messages.ts'

export interface SupervisionTimeouts {
  /** A thread that sends no message for this long counts as hung. */
  readonly heartbeatTimeoutMs?: number
  /** A thread whose job has not stopped after this long counts as hung. */
  readonly stopTimeoutMs?: number
}

/**
 * Supervises a thread that runs a job, until disposed of: passes on its messages, tells it to stop when the signal is aborted,
 * and fails the run when the thread crashes, hangs or does not stop.
 * @param handle called with each message. An error that it throws fails this run, not the service
 * @param fail called with `WorkerCrashed`, or with the error of `handle`, perhaps several times
 */
export function superviseThread(
  worker: Worker,
  signal: AbortSignal,
  handle: (message: FromWorker) => void,
  fail: (error: unknown) => void,
  { heartbeatTimeoutMs = HEARTBEAT_TIMEOUT_MS, stopTimeoutMs = STOP_TIMEOUT_MS }: SupervisionTimeouts,
): Disposable {
  let missedTicks = 0
  let stopTimeout: Disposable | undefined
  const onMessage = ({ data }: MessageEvent<FromWorker>) => {
    missedTicks = 0
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
    worker.postMessage({ type: 'stop' } satisfies ToWorker)
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
  signal.addEventListener('abort', onStop, { once: true })
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
