import type { OriginTrust } from '../../fetching/http1/client.ts'

/**
 * The sources whose bodies came over a connection that had served another request before. When a second response takes the place of
 * such a body, only the body's own response shows that, and it may come after the entry was stored.
 */
export class LateDoubts {
  readonly #positions = new Map<OriginTrust, number[]>()

  /** @param doubtfulWith the origin that the body depends on; null if it is beyond doubt */
  stored(position: number, doubtfulWith: OriginTrust | null): void {
    if (doubtfulWith === null) return
    const positions = this.#positions.get(doubtfulWith)
    if (positions === undefined) this.#positions.set(doubtfulWith, [position])
    else positions.push(position)
  }

  has(position: number): boolean {
    for (const [origin, positions] of this.#positions)
      if (origin.hadSurplus && positions.includes(position)) return true
    return false
  }

  /** Takes the positions of those that have become doubtful. */
  take(): ReadonlySet<number> {
    const doubtful = new Set<number>()
    for (const [origin, positions] of this.#positions) {
      if (!origin.hadSurplus) continue
      this.#positions.delete(origin)
      for (const position of positions) doubtful.add(position)
    }
    return doubtful
  }
}
