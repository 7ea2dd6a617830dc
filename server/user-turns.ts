/**
 * Who is next when several users wait for the same thing: the one whose last turn is longest ago, however much each of them waits with.
 * Whatever belongs to one user keeps its order.
 */
export class UserTurns<UserId> {
  /** Those who have had a turn; the one whose last turn is longest ago comes first. */
  readonly #served = new Set<UserId>()

  /** @param waiting oldest first */
  next<T>(waiting: Iterable<T>, userIdOf: (waiting: T) => UserId): T | undefined {
    const order = [...this.#served]
    const turnOf = (one: T) => order.indexOf(userIdOf(one))
    // The sort is stable.
    return [...waiting].sort((a, b) => turnOf(a) - turnOf(b))[0]
  }

  /** A user has had a turn. */
  served(userId: UserId): void {
    this.#served.delete(userId)
    this.#served.add(userId)
  }

  /** Call it when nobody waits: no earlier turn counts any more. */
  clear(): void {
    this.#served.clear()
  }
}
