/** A job slot that is taken. */
export interface Slot {
  readonly jobId: string
  readonly userId: string
  /** Whether its run can still be stopped. */
  readonly mayGiveWay: boolean
}

/** Whose turn it is. `slots` are those that are taken, in the order in which they were. */
export interface Turns {
  /** Of the users that wait, the one with the fewest slots; among equals, whoever was served the longest ago. */
  next(waiting: readonly string[], slots: readonly Slot[]): string | undefined
  /** The user got a slot. */
  served(userId: string): void
  /** The user gave a slot away and gets along with `most` of them for a while. */
  rest(userId: string, most: number): void
  endRests(): void
}

/**
 * Shares job slots out evenly between the users that want them. A slot changes hands only where that makes the
 * shares more even, so no two users pass one to and fro.
 */
export function openTurns(): Turns {
  /** Users in the order in which they were last served, the latest at the end. */
  const order = new Set<string>()
  const rests = new Map<string, number>()

  return {
    next(waiting, slots) {
      const turn = [...order]
      const held = countByUser(slots)
      const heldBy = (userId: string) => held.get(userId) ?? 0
      return waiting
        .filter((userId) => heldBy(userId) < (rests.get(userId) ?? Infinity))
        .sort((a, b) => heldBy(a) - heldBy(b) || turn.indexOf(a) - turn.indexOf(b))
        .at(0)
    },
    served(userId) {
      order.delete(userId)
      order.add(userId)
    },
    rest(userId, most) {
      rests.set(userId, most)
    },
    endRests: () => rests.clear(),
  }
}

/**
 * The slot that is to go to a user who waits while all are taken: the one taken last, which loses the least, of the
 * user who has the most of them. None when the shares would be no more even afterwards.
 */
export function slotToGive(slots: readonly Slot[], waitingUserId: string): Slot | undefined {
  const held = countByUser(slots)
  const [most] = [...held].sort(([, a], [, b]) => b - a)
  if (most === undefined || most[1] - (held.get(waitingUserId) ?? 0) < 2) return undefined
  return slots.findLast((slot) => slot.userId === most[0] && slot.mayGiveWay)
}

function countByUser(slots: readonly Slot[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { userId } of slots) counts.set(userId, (counts.get(userId) ?? 0) + 1)
  return counts
}
