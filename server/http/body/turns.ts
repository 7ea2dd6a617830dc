/**
 * Spreads pieces of work that take milliseconds over turns of the event loop, one piece per turn. When fifty jobs of 5,000
 * URLs arrive at once, the service answers other requests between two of them, and not only after a second.
 */
export interface Turns {
  /** Resolves in a turn in which no other piece of work begins. The calls resolve in order. */
  next(): Promise<void>
}

export function openTurns(): Turns {
  const waiting: (() => void)[] = []

  function beginNext(): void {
    waiting.shift()?.()
    if (waiting.length > 0) setImmediate(beginNext)
  }

  return {
    next() {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push(resolve)
      if (waiting.length === 1) setImmediate(beginNext)
      return promise
    },
  }
}
