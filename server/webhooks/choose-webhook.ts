/** A webhook, and the user whose webhook it is. */
export interface OwnedWebhook {
  readonly webhookId: string
  readonly userId: string
}

/**
 * Chooses the webhook that may make the next attempt: one of the user with the fewest running attempts, and among those
 * the first. A user who has running attempts gets no slot of the last half: it is kept for users who have none, so that
 * endpoints that hang never delay the deliveries of others.
 * @param ready webhooks with due deliveries; the one that was chosen the longest ago comes first
 * @param running one per running attempt
 * @returns null when no webhook may
 */
export function chooseWebhook(
  ready: Iterable<OwnedWebhook>,
  running: readonly OwnedWebhook[],
): OwnedWebhook | null {
  if (running.length >= MAX_ATTEMPTS) return null
  const attemptsOfUser = countBy(running, ({ userId }) => userId)
  const attemptsOfWebhook = countBy(running, ({ webhookId }) => webhookId)
  const maxOfUser = running.length < MAX_ATTEMPTS / 2 ? MAX_ATTEMPTS_OF_USER : 1
  let chosen: OwnedWebhook | null = null
  let fewest = maxOfUser
  for (const webhook of ready) {
    if ((attemptsOfWebhook.get(webhook.webhookId) ?? 0) >= MAX_ATTEMPTS_OF_WEBHOOK) continue
    const attempts = attemptsOfUser.get(webhook.userId) ?? 0
    if (attempts >= fewest) continue
    chosen = webhook
    fewest = attempts
    if (fewest === 0) break
  }
  return chosen
}

/** Attempts at once. The longest message has 1 MB, so all of them take some tens of megabytes at most. */
export const MAX_ATTEMPTS = 32
/** Attempts of one user at once. */
const MAX_ATTEMPTS_OF_USER = 8
/** Requests to one endpoint at once: no flood, and one that hangs leaves most of its user's attempts to the others. */
export const MAX_ATTEMPTS_OF_WEBHOOK = 2

function countBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(keyOf(value), (counts.get(keyOf(value)) ?? 0) + 1)
  return counts
}
