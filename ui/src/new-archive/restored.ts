import type { Recognised } from '../links/link.ts'

/** Takes a change back after which others were made: what it removed comes back, and what it added goes. */
export function restored(
  before: readonly Recognised[],
  after: readonly Recognised[],
  now: readonly Recognised[],
): Recognised[] {
  const [known, left, current] = [new Set(before), new Set(after), new Set(now)]
  return [
    ...before.filter((item) => current.has(item) || !left.has(item)),
    ...now.filter((item) => !known.has(item) && !left.has(item)),
  ]
}
