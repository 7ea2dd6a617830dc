// server/decisions/requests-and-responses.md says whose body comes next, and why.

import { ServiceError } from '../../errors.ts'
import type { TextGarbage } from '../../garbage.ts'
import { UserTurns } from '../../user-turns.ts'

/** Limits the memory that request bodies take together, from their first byte until they are handled, and shares it between users. */
export interface RequestMemory {
  /**
   * Registers a body that begins to arrive, until the reservation is disposed of: as long as its value is in memory.
   * @param userId null for a request without a key; all of those count as one user
   * @param announcedBytes its `Content-Length`; 0 if it has none
   */
  reserve(userId: string | null, announcedBytes: number): BodyReservation
}

export interface BodyReservation extends Disposable {
  /** Aborted when the rest of the body must not be read; the reason is the error for the client. */
  readonly signal: AbortSignal
  /** Resolves when more of the body may be read. @throws ServiceError `UNAVAILABLE` after too long a wait */
  untilFree(): Promise<void>
  /** Counts bytes of the body that were read. */
  add(bytes: number): void
  /** The whole body was read: from now on, no time is the client's. */
  received(): void
}

export interface BodyTimeouts {
  /** A body fails unless `windowBytes` of it arrive in each period of `windowMs` in which it does not wait. */
  readonly windowMs: number
  readonly windowBytes: number
  /** How long the body that exceeds the memory may continue while others wait for it. */
  readonly contendedMs: number
  /** After this time it may continue while other users wait only as fast as `CONTENDED_BYTES_PER_MS`. */
  readonly contendedStartMs: number
  /** How long a body may wait for memory. */
  readonly waitMs: number
}

/**
 * Memory for all bodies together. One body at a time may exceed it, so that there always is progress: with the longest body,
 * 48 MiB, that makes 56 MiB.
 */
const MAX_TOTAL_BYTES = 8 * 1024 * 1024
/**
 * The first bytes of a body never wait, so that small requests are answered while large bodies arrive. A body that announces
 * more waits before its first byte: the first chunk alone may have a megabyte.
 */
const UNLIMITED_BYTES = 64 * 1024
/** The first bytes of each user never wait for the bodies of other users: enough for a list of some thousand short URLs. */
const OWN_BYTES = 256 * 1024
/** Bun buffers about this much of a body that waits. */
const BUFFER_BYTES = 1024 * 1024
/** Memory for the buffers of all bodies that wait. Enough for a hundred jobs of 5,000 URLs that arrive at once. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024
/** Half a megabyte per second: a body that other users wait for must not trickle. */
const CONTENDED_BYTES_PER_MS = 512
/** 64 KiB per second: the longest body may take 13 minutes while no other body waits for its memory. */
const TIMEOUTS: BodyTimeouts = {
  windowMs: 30_000,
  windowBytes: 30 * 64 * 1024,
  contendedMs: 10_000,
  contendedStartMs: 2_000,
  waitMs: 20_000,
}

interface Body {
  readonly userId: string | null
  readonly abort: AbortController
  readonly announcedBytes: number
  receivedBytes: number
}

/** The body that may exceed the memory. */
interface Exceeding {
  readonly body: Body
  /** Since when others wait for its memory, and what it had then; null while nobody does. */
  contended: { readonly sinceMs: number; readonly receivedBefore: number } | null
}

export function openRequestMemory(
  garbage: Pick<TextGarbage, 'allocated'>,
  timeouts = TIMEOUTS,
): RequestMemory {
  let totalBytes = 0
  /** What the bodies of each user hold. */
  const userBytes = new Map<string | null, number>()
  /** Oldest first. A body that may not wait is never among them, so that nobody waits for one. */
  const waiting = new Set<Body>()
  let exceeding: Exceeding | null = null
  /** To exceed the memory. */
  const turns = new UserTurns<string | null>()
  let changed = Promise.withResolvers<void>()

  function wakeWaiting(): void {
    changed.resolve()
    changed = Promise.withResolvers()
  }

  function mayRead(body: Body): boolean {
    const isSmall = Math.max(body.receivedBytes, body.announcedBytes) < UNLIMITED_BYTES
    return isSmall || (userBytes.get(body.userId) ?? 0) < OWN_BYTES || totalBytes < MAX_TOTAL_BYTES
  }

  /** Whether this body may read beyond the memory. If none does, the next one begins to: users take turns. */
  function mayExceed(body: Body): boolean {
    if (exceeding === null) {
      const next = turns.next(waiting, ({ userId }) => userId) ?? body
      exceeding = { body: next, contended: null }
      turns.served(next.userId)
    }
    return exceeding.body === body
  }

  /** A slow client may continue only until others need the memory. */
  function abortSlow(): void {
    if (exceeding === null) return
    const { body } = exceeding
    exceeding.contended ??= { sinceMs: performance.now(), receivedBefore: body.receivedBytes }
    const elapsedMs = performance.now() - exceeding.contended.sinceMs
    const receivedBytes = body.receivedBytes - exceeding.contended.receivedBefore
    const isTrickling = receivedBytes < elapsedMs * CONTENDED_BYTES_PER_MS
    const delaysOthers = [...waiting].some(({ userId }) => userId !== body.userId)
    const isSlow = isTrickling && delaysOthers && elapsedMs >= timeouts.contendedStartMs
    if (isSlow || elapsedMs >= timeouts.contendedMs) body.abort.abort(tooManyBodies())
  }

  /**
   * Makes room for the buffer of a body that is about to wait: at the cost of the newest body of the user who has most.
   * @throws ServiceError `UNAVAILABLE` when that is the same user
   */
  function assertRoomToWait(body: Body): void {
    const bytesOf = new Map<string | null, number>()
    const add = ({ userId, announcedBytes }: Body) =>
      bytesOf.set(userId, (bytesOf.get(userId) ?? 0) + bufferBytes(announcedBytes))
    for (const other of waiting) add(other)
    add(body)
    if (bytesOf.values().reduce((sum, bytes) => sum + bytes, 0) <= MAX_WAITING_BYTES) return
    const most = Math.max(...bytesOf.values())
    if (bytesOf.get(body.userId) === most) throw tooManyBodies()
    const newest = [...waiting].findLast(({ userId }) => bytesOf.get(userId) === most)
    newest?.abort.abort(tooManyBodies())
    if (newest !== undefined) waiting.delete(newest)
    wakeWaiting()
  }

  async function waitUntilFree(body: Body): Promise<void> {
    assertRoomToWait(body)
    waiting.add(body)
    const startedAt = performance.now()
    const timer = setInterval(() => {
      abortSlow()
      if (performance.now() - startedAt >= timeouts.waitMs) body.abort.abort(tooManyBodies())
      wakeWaiting()
    }, timeouts.contendedMs / 20)
    try {
      for (;;) {
        body.abort.signal.throwIfAborted()
        if (mayRead(body) || mayExceed(body)) return
        await changed.promise
      }
    } finally {
      clearInterval(timer)
      waiting.delete(body)
      if (waiting.size === 0 && exceeding !== null) exceeding.contended = null
    }
  }

  function count(body: Body, bytes: number): void {
    body.receivedBytes += bytes
    totalBytes += bytes
    userBytes.set(body.userId, (userBytes.get(body.userId) ?? 0) + bytes)
  }

  function release(body: Body): void {
    count(body, -body.receivedBytes)
    if (userBytes.get(body.userId) === 0) userBytes.delete(body.userId)
    if (exceeding?.body === body) exceeding = null
    if (waiting.size === 0) turns.clear()
    wakeWaiting()
  }

  return {
    reserve(userId, announcedBytes) {
      const body: Body = { userId, abort: new AbortController(), announcedBytes, receivedBytes: 0 }
      let windowBytes = 0
      const beginWindow = () => {
        windowBytes = 0
        return setInterval(() => {
          if (windowBytes < timeouts.windowBytes) body.abort.abort(tooSlow())
          windowBytes = 0
        }, timeouts.windowMs)
      }
      let windowTimer = beginWindow()
      return {
        signal: body.abort.signal,
        async untilFree() {
          if (mayRead(body) || exceeding?.body === body) return
          // The time in which a body waits for us is not the client's.
          clearInterval(windowTimer)
          await waitUntilFree(body)
          windowTimer = beginWindow()
        },
        add(bytes) {
          count(body, bytes)
          windowBytes += bytes
          garbage.allocated(bytes)
        },
        received() {
          clearInterval(windowTimer)
        },
        [Symbol.dispose]() {
          clearInterval(windowTimer)
          release(body)
        },
      }
    },
  }
}

function bufferBytes(announcedBytes: number): number {
  return Math.min(announcedBytes || BUFFER_BYTES, BUFFER_BYTES)
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
