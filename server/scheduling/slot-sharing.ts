/** A job slot that is taken. */
export interface Slot {
  readonly jobId: string
  readonly userId: string
  /** Whether its run can still be stopped. */
  readonly isPreemptible: boolean
}

/** Decides which user gets the next job slot. `slots` are the taken ones, the oldest first. */
export interface SlotSharing {
  /** Of the waiting users, the one with the fewest slots; among equals, the one whose last claim is the oldest. */
  nextUser(waiting: readonly string[], slots: readonly Slot[]): string | undefined
  /** The user got a slot. */
  recordClaim(userId: string): void
  /** Lets the user have at most `maxSlots`, until `endHoldBacks`. */
  holdBack(userId: string, maxSlots: number): void
  endHoldBacks(): void
}

/**
 * Shares job slots out evenly between the users that have pending jobs. A slot changes hands only when that makes the
 * shares more even, so that two users never take one from each other in turns.
 */
export function openSlotSharing(): SlotSharing {
  /** Users in the order of their last claims, the latest at the end. */
  const claimOrder = new Set<string>()
  const maxSlotsByUser = new Map<string, number>()

  return {
    nextUser(waiting, slots) {
      const order = [...claimOrder]
      const counts = countByUser(slots)
      const countOf = (userId: string) => counts.get(userId) ?? 0
      return waiting
        .filter((userId) => countOf(userId) < (maxSlotsByUser.get(userId) ?? Infinity))
        .sort((a, b) => countOf(a) - countOf(b) || order.indexOf(a) - order.indexOf(b))
        .at(0)
    },
    recordClaim(userId) {
      claimOrder.delete(userId)
      claimOrder.add(userId)
    },
    holdBack(userId, maxSlots) {
      maxSlotsByUser.set(userId, maxSlots)
    },
    endHoldBacks: () => maxSlotsByUser.clear(),
  }
}

/**
 * The slot to take for a user who waits while all slots are taken: of the user who has most slots, the one that was
 * taken last, since its job loses least. None when the shares would be no more even afterwards.
 */
export function slotToPreempt(slots: readonly Slot[], waitingUserId: string): Slot | undefined {
  const counts = countByUser(slots)
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  if (most === undefined || most[1] - (counts.get(waitingUserId) ?? 0) < 2) return undefined
  return slots.findLast((slot) => slot.userId === most[0] && slot.isPreemptible)
}

function countByUser(slots: readonly Slot[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { userId } of slots) counts.set(userId, (counts.get(userId) ?? 0) + 1)
  return counts
}
