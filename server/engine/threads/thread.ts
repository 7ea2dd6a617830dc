import type { ConnectionThread } from '../connections/pool/thread-allowances.ts'
import type { ToWorker } from './messages.ts'

/** A worker thread, which runs one job after the other, as the main thread knows it. */
export interface Thread extends ConnectionThread {
  readonly worker: Worker
  isClosed: boolean
  /** Resolves when the thread has ended, by itself or by `terminate`. The event fires only once. */
  readonly closed: Promise<void>
}

/** Of its event loop (epoll and eventfd). Bun ends the process if it does not get them. */
export const THREAD_DESCRIPTORS = 2

/**
 * Starts a thread and blocks this one until it runs, for some milliseconds: meanwhile no client is accepted who could take
 * the descriptors that it needs.
 */
export function startThread(url: string | URL): Thread {
  const { thread, waitForStart } = beginThread(url)
  waitForStart()
  return thread
}

/** Starts a thread without waiting for it. `waitForStart` blocks this thread until it runs. */
export function beginThread(url: string | URL): { thread: Thread; waitForStart: () => void } {
  const worker = new Worker(url)
  const { promise, resolve } = Promise.withResolvers<void>()
  const thread: Thread = {
    worker,
    isClosed: false,
    closed: promise,
    allowed: (count) => worker.postMessage({ type: 'connectionsAllowed', count } satisfies ToWorker),
  }
  const onClose = () => {
    thread.isClosed = true
    resolve()
  }
  worker.addEventListener('close', onClose, { once: true })
  const started = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  worker.postMessage({ type: 'reportStart', started } satisfies ToWorker)
  const waitForStart = () => {
    // Counts waits instead of time, in which the process may have been paused.
    for (let waits = 0; waits < MAX_START_WAITS && Atomics.load(started, 0) === 0; waits++) {
      Atomics.wait(started, 0, 0, START_WAIT_MS)
    }
  }
  return { thread, waitForStart }
}

/** 5 s in all: a thread that can start does so in 2 to 20 ms. */
const MAX_START_WAITS = 50
const START_WAIT_MS = 100
