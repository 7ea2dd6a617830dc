// server/decisions/shares.md says why jobs are preempted, and which.

/** A job slot that is taken. */
export interface Slot {
  readonly jobId: string
  readonly userId: string
  readonly urlCount: number
  /** Whether its run can still be stopped. */
  readonly isPreemptible: boolean
  /** Whether its run was told to stop. */
  readonly isStopping: boolean
}

/** What the scheduler does next. */
export type SlotDecision =
  /** Start the user's oldest pending job that has at most `maxUrls` URLs. */
  | { readonly kind: 'claim'; readonly userId: string; readonly maxUrls: number }
  /** Stop this job, so that another user gets its slot. */
  | { readonly kind: 'preempt'; readonly slot: Slot }

/** Decides who gets the next job slot. */
export interface SlotSharing {
  /**
   * @param slots the taken slots, the oldest first
   * @param usersWithPending returns the users who have a pending job with at most `maxUrls` URLs
   * @returns null when nothing is to be done now
   */
  next(slots: readonly Slot[], usersWithPending: (maxUrls: number) => readonly string[]): SlotDecision | null
  /** The user got a slot. */
  recordClaim(userId: string): void
  /** Until `endHoldBacks`, gives the user of the preempted slot no more slots than this user's other slots in `slots`. */
  holdBack(preempted: Slot, slots: readonly Slot[]): void
  endHoldBacks(): void
}

/**
 * Shares job slots evenly between the users who have pending jobs. A slot is taken from a user only when that makes the shares
 * more even, so that two users never take a slot from each other in turn. Some slots are reserved for short jobs, so that a
 * job of a few URLs does not wait until a job of thousands ends.
 * @param limitNow returns the number of jobs that run at once
 */
export function openSlotSharing(limitNow: () => number): SlotSharing {
  /** Users in the order of their last claims, the latest at the end. */
  const claimOrder = new Set<string>()
  const maxSlotsByUser = new Map<string, number>()

  /** Of the waiting users, the one with the fewest slots; among equals, the one whose last claim is the oldest. */
  function nextUser(waiting: readonly string[], slots: readonly Slot[]): string | undefined {
    const order = [...claimOrder]
    const counts = countByUser(slots)
    const countOf = (userId: string) => counts.get(userId) ?? 0
    return waiting
      .filter((userId) => countOf(userId) < (maxSlotsByUser.get(userId) ?? Infinity))
      .sort((a, b) => countOf(a) - countOf(b) || order.indexOf(a) - order.indexOf(b))
      .at(0)
  }

  return {
    next(slots, usersWithPending) {
      const limit = limitNow()
      const maxLongJobs = limit < MIN_SHARED_SLOTS ? limit : Math.ceil(limit / 2)
      const longJobs = slots.filter(({ urlCount }) => urlCount > SHORT_JOB_URLS)
      const hasRoomForLongJob = longJobs.length < maxLongJobs
      const maxUrls = hasRoomForLongJob ? Infinity : SHORT_JOB_URLS
      const userId = nextUser(usersWithPending(maxUrls), slots)
      if (userId !== undefined && slots.length < limit) return { kind: 'claim', userId, maxUrls }
      if (slots.some(({ isStopping }) => isStopping)) return null
      const slot =
        slotToPreempt(slots, userId) ??
        // A user who has only long jobs waiting could not use the slot of a short job.
        (hasRoomForLongJob
          ? undefined
          : slotToPreempt(longJobs, nextUser(usersWithPending(Infinity), longJobs)))
      return slot === undefined ? null : { kind: 'preempt', slot }
    },
    recordClaim(userId) {
      claimOrder.delete(userId)
      claimOrder.add(userId)
    },
    holdBack({ userId }, slots) {
      maxSlotsByUser.set(userId, (countByUser(slots).get(userId) ?? 0) - 1)
    },
    endHoldBacks: () => maxSlotsByUser.clear(),
  }
}

/** A job of up to this many URLs ends within seconds, unless its sources are slow. */
const SHORT_JOB_URLS = 100

/** With fewer slots there is none to spare: a user who allows two jobs at once may want to run two long ones. */
const MIN_SHARED_SLOTS = 4

/**
 * The slot to free for a user who waits: the newest slot of the user with the most slots, since its job loses least. None
 * when that would not make the shares more even.
 */
function slotToPreempt(slots: readonly Slot[], waitingUserId: string | undefined): Slot | undefined {
  if (waitingUserId === undefined) return undefined
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
