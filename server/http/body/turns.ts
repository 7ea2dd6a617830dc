/**
 * Spreads pieces of work that take milliseconds over turns of the event loop, one piece per turn. When fifty jobs of 5,000
 * URLs arrive at once, the service answers other requests between two of them, and not only after a second.
 */
export interface Turns {
  /**
   * Resolves in a turn in which no other piece of work begins, or only as many as `openTurns` allows. Users have turns one after the other, however many pieces each
   * of them waits with; the pieces of one user in the order of their calls.
   * @param userId null for requests without a key, which count as one user
   */
  next(userId: string | null): Promise<void>
}

/** @param piecesPerTurn how many pieces may begin in one turn: one, unless they are short */
export function openTurns(piecesPerTurn: () => number = () => 1): Turns {
  /** The pieces of each user that wait. The user whose turn is next comes first. */
  const waiting = new Map<string | null, (() => void)[]>()

  function beginTurn(): void {
    for (let left = piecesPerTurn(); left > 0; left--) beginNext()
    if (waiting.size > 0) setImmediate(beginTurn)
  }

  function beginNext(): void {
    const [next] = waiting
    if (next === undefined) return
    const [userId, pieces] = next
    waiting.delete(userId)
    pieces.shift()?.()
    if (pieces.length > 0) waiting.set(userId, pieces)
  }

  return {
    next(userId) {
      const { promise, resolve } = Promise.withResolvers<void>()
      if (waiting.size === 0) setImmediate(beginTurn)
      const pieces = waiting.get(userId)
      if (pieces === undefined) waiting.set(userId, [resolve])
      else pieces.push(resolve)
      return promise
    },
  }
}
