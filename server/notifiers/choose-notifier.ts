import type { NotifierKind } from '../vocabulary.ts'

/** A notifier, and the user whose notifier it is. */
export interface OwnedNotifier {
  readonly notifierId: string
  readonly userId: string
  readonly kind: NotifierKind
}

/**
 * Chooses the notifier that may make the next attempt: one of the user with the fewest running attempts, and among those
 * the first. A user who has running attempts gets no slot of the last half: it is kept for users who have none, so that
 * endpoints that hang never delay the deliveries of others. All mail goes to one server, so it gets a few slots only, and a
 * mail server that hangs delays nothing else.
 * @param ready notifiers with due deliveries; the one that was chosen the longest ago comes first
 * @param running one per running attempt
 * @returns null when no notifier may
 */
export function chooseNotifier(
  ready: Iterable<OwnedNotifier>,
  running: readonly OwnedNotifier[],
): OwnedNotifier | null {
  if (running.length >= MAX_ATTEMPTS) return null
  const attemptsOfUser = countBy(running, ({ userId }) => userId)
  const attemptsOfNotifier = countBy(running, ({ notifierId }) => notifierId)
  const mayMail = running.filter(({ kind }) => kind === 'email').length < MAX_MAILS
  const maxOfUser = running.length < MAX_ATTEMPTS / 2 ? MAX_ATTEMPTS_OF_USER : 1
  let chosen: OwnedNotifier | null = null
  let fewest = maxOfUser
  for (const notifier of ready) {
    if (notifier.kind === 'email' && !mayMail) continue
    if ((attemptsOfNotifier.get(notifier.notifierId) ?? 0) >= MAX_ATTEMPTS_OF_NOTIFIER) continue
    const attempts = attemptsOfUser.get(notifier.userId) ?? 0
    if (attempts >= fewest) continue
    chosen = notifier
    fewest = attempts
    if (fewest === 0) break
  }
  return chosen
}

/** Attempts at once. The longest message has 1 MB, so all of them take some tens of megabytes at most. */
export const MAX_ATTEMPTS = 32
/** Attempts of one user at once. */
const MAX_ATTEMPTS_OF_USER = 8
/** Connections to the mail server at once: as many as most servers allow a client. */
export const MAX_MAILS = 4
/** Requests to one endpoint at once: no flood, and one that hangs leaves most of its user's attempts to the others. */
export const MAX_ATTEMPTS_OF_NOTIFIER = 2

function countBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(keyOf(value), (counts.get(keyOf(value)) ?? 0) + 1)
  return counts
}
