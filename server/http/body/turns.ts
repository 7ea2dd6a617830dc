/**
 * Spreads pieces of work that take milliseconds over turns of the event loop, one piece per turn. When fifty jobs of 5,000
 * URLs arrive at once, the service answers other requests between two of them, and not only after a second. Its callers go on by
 * themselves in their turn, where `ReadTurns` of the engine runs one asynchronous answer to its end before it begins the next.
 */
export interface Turns {
  /**
   * Resolves in a turn in which no other piece of work begins, or only as many as `openTurns` allows. Users have turns one
   * after the other, however many pieces each of them waits with; the pieces of one user in the order of their calls.
   * @param userId null for requests without a key, which count as one user
   */
  next(userId: string | null): Promise<void>
}

/**
 * @param piecesPerTurn how many pieces may begin in one turn: one, unless they are short. Fewer do when they take long all the same: the
 *   first piece of a compressed file takes a millisecond, however short it is
 */
export function openTurns(
  piecesPerTurn: () => number = () => 1,
  nowMs: () => number = () => performance.now(),
): Turns {
  /**
   * The pieces of each user that wait. The user whose turn is next comes first. `UserTurns` would look at all pieces for each turn, and a
   * thousand may wait.
   */
  const waiting = new Map<string | null, (() => void)[]>()
  let hasNextTurn = false

  async function beginTurn(): Promise<void> {
    const beganMs = nowMs()
    for (let left = piecesPerTurn(); left > 0 && waiting.size > 0; left--) {
      if (nowMs() - beganMs >= LONGEST_TURN_MS) break
      beginNext()
      // The piece runs now, so that its time counts.
      await null
    }
    hasNextTurn = waiting.size > 0
    if (hasNextTurn) setImmediate(beginTurn)
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
      if (!hasNextTurn) setImmediate(beginTurn)
      hasNextTurn = true
      const pieces = waiting.get(userId)
      if (pieces === undefined) waiting.set(userId, [resolve])
      else pieces.push(resolve)
      return promise
    },
  }
}

/** Far below what anybody notices. Each turn has other work, too. */
const LONGEST_TURN_MS = 8
