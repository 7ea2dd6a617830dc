import { ServiceError } from '../../errors.ts'
import type { GarbageCollector } from './garbage.ts'

/** Limits the memory that request bodies take together while they arrive. */
export interface RequestMemory {
  /**
   * Registers a body that begins to arrive, until the reservation is disposed of.
   * @param announcedBytes its `Content-Length`; 0 if it has none
   */
  reserve(announcedBytes: number): BodyReservation
}

export interface BodyReservation extends Disposable {
  /** Aborted when the rest of the body must not be read; the reason is the error for the client. */
  readonly signal: AbortSignal
  /** Resolves when more of the body may be read. @throws ServiceError `UNAVAILABLE` after too long a wait */
  untilFree(): Promise<void>
  /** Counts bytes of the body that were read. */
  add(bytes: number): void
}

export interface BodyTimeouts {
  /** A body fails unless `windowBytes` of it arrive in each period of `windowMs`. */
  readonly windowMs: number
  readonly windowBytes: number
  /** How long the oldest body may continue while others wait for memory. */
  readonly contendedMs: number
  /** How long a body may wait for memory. */
  readonly waitMs: number
}

/**
 * Memory for all bodies together. The oldest body may exceed it, so that one body always makes progress: with the
 * longest body, 48 MiB, that makes 56 MiB.
 */
const MAX_TOTAL_BYTES = 8 * 1024 * 1024
/**
 * The first bytes of a body never wait, so that small requests are answered while large bodies arrive. A body that announces
 * more waits before its first byte: the first chunk alone may have a megabyte.
 */
const UNLIMITED_BYTES = 64 * 1024
/** Bun buffers about this much of a body that waits. */
const BUFFER_BYTES = 1024 * 1024
/** Memory for the buffers of all bodies that wait. Enough for a hundred jobs of 5,000 URLs that arrive at once. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024
/** 64 KiB per second: the longest body may take 13 minutes while no other body waits for its memory. */
const TIMEOUTS: BodyTimeouts = {
  windowMs: 30_000,
  windowBytes: 30 * 64 * 1024,
  contendedMs: 10_000,
  waitMs: 20_000,
}

interface Body {
  readonly abort: AbortController
  readonly announcedBytes: number
  receivedBytes: number
  /** When this body became the oldest; null while an older one is still arriving. */
  oldestSince: number | null
}

export function openRequestMemory(collector: GarbageCollector, timeouts = TIMEOUTS): RequestMemory {
  /** Oldest first. */
  const bodies = new Set<Body>()
  let totalBytes = 0
  let waitingBytes = 0
  let changed = Promise.withResolvers<void>()

  function wakeWaiting(): void {
    changed.resolve()
    changed = Promise.withResolvers()
  }

  function oldestBody(): Body | undefined {
    const [body] = bodies
    if (body !== undefined) body.oldestSince ??= performance.now()
    return body
  }

  function mayRead(body: Body): boolean {
    const isSmall = Math.max(body.receivedBytes, body.announcedBytes) < UNLIMITED_BYTES
    return isSmall || totalBytes < MAX_TOTAL_BYTES || oldestBody() === body
  }

  /** A slow client may continue only until others need the memory. */
  function abortSlowOldest(): void {
    const body = oldestBody()
    if (body?.oldestSince == null || performance.now() - body.oldestSince < timeouts.contendedMs) return
    body.abort.abort(tooManyBodies())
  }

  async function untilFree(body: Body): Promise<void> {
    if (mayRead(body)) return
    const bufferedBytes = Math.min(body.announcedBytes || BUFFER_BYTES, BUFFER_BYTES)
    if (waitingBytes + bufferedBytes > MAX_WAITING_BYTES) throw tooManyBodies()
    waitingBytes += bufferedBytes
    const startedAt = performance.now()
    const timer = setInterval(() => {
      abortSlowOldest()
      if (performance.now() - startedAt >= timeouts.waitMs) body.abort.abort(tooManyBodies())
      wakeWaiting()
    }, timeouts.contendedMs / 10)
    try {
      while (!mayRead(body)) {
        body.abort.signal.throwIfAborted()
        await changed.promise
      }
    } finally {
      clearInterval(timer)
      waitingBytes -= bufferedBytes
    }
  }

  function release(body: Body): void {
    if (!bodies.delete(body)) return
    totalBytes -= body.receivedBytes
    wakeWaiting()
  }

  return {
    reserve(announcedBytes) {
      const body: Body = { abort: new AbortController(), announcedBytes, receivedBytes: 0, oldestSince: null }
      bodies.add(body)
      let isWaiting = false
      let windowBytes = 0
      const windowTimer = setInterval(() => {
        if (windowBytes < timeouts.windowBytes && !isWaiting) body.abort.abort(tooSlow())
        windowBytes = 0
      }, timeouts.windowMs)
      return {
        signal: body.abort.signal,
        async untilFree() {
          isWaiting = true
          await untilFree(body)
          isWaiting = false
        },
        add(bytes) {
          body.receivedBytes += bytes
          totalBytes += bytes
          windowBytes += bytes
          collector.allocated(bytes)
        },
        [Symbol.dispose]() {
          clearInterval(windowTimer)
          release(body)
        },
      }
    },
  }
}

function tooManyBodies(): ServiceError {
  return new ServiceError(
    'UNAVAILABLE',
    'Too many large requests are arriving at the moment. Try again in a few seconds.',
  )
}

function tooSlow(): ServiceError {
  return new ServiceError(
    'INVALID_REQUEST',
    'The body arrived too slowly. Send it faster, or create several smaller jobs.',
  )
}
