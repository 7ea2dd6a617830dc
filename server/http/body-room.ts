import { ServiceError } from '../errors.ts'
import type { Collector } from './collector.ts'

/** The memory that bodies of requests may take together while they arrive. */
export interface BodyRoom {
  /** Room for one more body, until it is disposed of. */
  enter(): EnteredBody
}

export interface EnteredBody extends Disposable {
  /** Aborted, with the error for the client, when the body is not to be read any further. */
  readonly cut: AbortSignal
  /** Resolves when more of the body may be read; throws `UNAVAILABLE` when that takes too long. */
  untilRoom(): Promise<void>
  /** So many bytes more have been read. */
  hold(bytes: number): void
}

export interface BodyPatience {
  /** A body must bring `windowBytes` in every window of `windowMs`, or end. */
  readonly windowMs: number
  readonly windowBytes: number
  /** How long a body may keep others waiting, and how long one waits. */
  readonly contendedMs: number
  readonly waitMs: number
}

/**
 * What all bodies together may hold. The one that came first may go on beyond it, so that there is always one that
 * gets on: with the longest body that makes 64 MiB.
 */
const MAX_HELD_BYTES = 16 * 1024 * 1024
/** The beginning of a body never waits: small requests are answered while large bodies come in. */
const FREE_BYTES = 64 * 1024
/** Each holds a connection, and about a megabyte in its buffers. */
const MAX_WAITING = 32
/** 64 KiB a second: the longest body may take 13 minutes when nobody waits for it. */
const PATIENCE: BodyPatience = {
  windowMs: 30_000,
  windowBytes: 30 * 64 * 1024,
  contendedMs: 10_000,
  waitMs: 20_000,
}

interface Body {
  readonly stop: AbortController
  heldBytes: number
  /** Since when no other body that is still here came earlier; null while one did. */
  firstSince: number | null
}

export function openBodyRoom(collector: Collector, patience = PATIENCE): BodyRoom {
  /** In the order in which they came. */
  const bodies = new Set<Body>()
  let heldBytes = 0
  let waiting = 0
  let changed = Promise.withResolvers<void>()

  function tellWaiting(): void {
    changed.resolve()
    changed = Promise.withResolvers()
  }

  function first(): Body | undefined {
    const [body] = bodies
    if (body !== undefined) body.firstSince ??= performance.now()
    return body
  }

  /** Whoever sends slowly may do so until others need the memory. */
  function cutSlowFirst(): void {
    const body = first()
    if (body?.firstSince == null || performance.now() - body.firstSince < patience.contendedMs) return
    body.stop.abort(tooMany())
  }

  async function untilRoom(body: Body): Promise<void> {
    const mayGoOn = () => body.heldBytes < FREE_BYTES || heldBytes < MAX_HELD_BYTES || first() === body
    if (mayGoOn()) return
    if (waiting >= MAX_WAITING) throw tooMany()
    waiting++
    const startedAt = performance.now()
    const looking = setInterval(() => {
      cutSlowFirst()
      if (performance.now() - startedAt >= patience.waitMs) body.stop.abort(tooMany())
      tellWaiting()
    }, patience.contendedMs / 10)
    try {
      while (!mayGoOn()) {
        body.stop.signal.throwIfAborted()
        await changed.promise
      }
    } finally {
      clearInterval(looking)
      waiting--
    }
  }

  function leave(body: Body): void {
    if (!bodies.delete(body)) return
    heldBytes -= body.heldBytes
    tellWaiting()
  }

  return {
    enter() {
      const body: Body = { stop: new AbortController(), heldBytes: 0, firstSince: null }
      bodies.add(body)
      let isWaiting = false
      let windowBytes = 0
      const window = setInterval(() => {
        if (windowBytes < patience.windowBytes && !isWaiting) body.stop.abort(tooSlow())
        windowBytes = 0
      }, patience.windowMs)
      return {
        cut: body.stop.signal,
        async untilRoom() {
          isWaiting = true
          await untilRoom(body)
          isWaiting = false
        },
        hold(bytes) {
          body.heldBytes += bytes
          heldBytes += bytes
          windowBytes += bytes
          collector.made(bytes)
        },
        [Symbol.dispose]() {
          clearInterval(window)
          leave(body)
          // When the request has been answered, too.
          if (body.heldBytes > FREE_BYTES) collector.soon()
        },
      }
    },
  }
}

function tooMany(): ServiceError {
  return new ServiceError(
    'UNAVAILABLE',
    'Too many large requests arrive at the moment. Try again in a few seconds.',
  )
}

function tooSlow(): ServiceError {
  return new ServiceError(
    'INVALID_REQUEST',
    'The body came too slowly. Send it faster, or make several smaller jobs.',
  )
}
