/** The connections that one client of the pool waits for and holds, by host. */
export interface Holder {
  readonly group: string
  readonly waiting: ReadonlyMap<string, number>
  readonly held: ReadonlyMap<string, number>
  /** How many of the held connections are revoked but not yet released. */
  readonly revoked: Map<string, number>
}

/** How many more connections may be opened; negative when a limit was lowered below what is open. */
export interface FreeConnections {
  readonly inTotal: number
  of(host: string): number
  /** Whether the host asked its clients to wait: then a revoked connection would serve nobody. */
  mustWait(host: string): boolean
}

/** A connection that its holder must release. */
export interface Revocation<H> {
  readonly holder: H
  readonly host: string
}

/**
 * Runs in the main thread, for all jobs. Chooses connections to revoke from the groups that hold the most, for the groups that
 * wait, as long as that makes the shares more even. Counts them as `revoked`. Connections revoked earlier, but not yet released,
 * count as free.
 */
export function chooseRevocations<H extends Holder>(
  holders: readonly H[],
  free: FreeConnections,
): Revocation<H>[] {
  const chosen: Revocation<H>[] = []
  const shares = new Map<string, number>()
  const freeByHost = new Map<string, number>()
  let freeInTotal = free.inTotal
  for (const { group, held, revoked } of holders) {
    addTo(shares, group, total(held) - total(revoked))
    freeInTotal += total(revoked)
  }

  const share = (group: string) => shares.get(group) ?? 0
  const poorestFirst = [...holders].sort((a, b) => share(a.group) - share(b.group))
  for (const { group, waiting } of poorestFirst) {
    for (const [host, count] of waiting) {
      if (free.mustWait(host)) continue
      for (let found = 0; found < count && findConnection(group, host); found++);
      if (freeInTotal <= 0 && revocable(null, group) === null) break
    }
  }
  return chosen

  /** Finds a connection for one request; false when the request has to wait. */
  function findConnection(group: string, host: string): boolean {
    const isHostFull = freeOf(host) <= 0
    if (isHostFull || freeInTotal <= 0) {
      const revocation = revocable(isHostFull ? host : null, group)
      if (revocation === null) return false
      chosen.push(revocation)
      addTo(shares, revocation.holder.group, -1)
      freeByHost.set(revocation.host, freeOf(revocation.host) + 1)
      freeInTotal += 1
      addTo(revocation.holder.revoked, revocation.host, 1)
    }
    freeByHost.set(host, freeOf(host) - 1)
    freeInTotal -= 1
    addTo(shares, group, 1)
    return true
  }

  function freeOf(host: string): number {
    const known = freeByHost.get(host)
    const revokedCount = () => holders.reduce((sum, { revoked }) => sum + (revoked.get(host) ?? 0), 0)
    const count = known ?? free.of(host) + revokedCount()
    freeByHost.set(host, count)
    return count
  }

  /**
   * A connection to the host (null: to any host) of the group that holds the most, if that group holds at least two more
   * than this one.
   */
  function revocable(host: string | null, group: string): Revocation<H> | null {
    let found: Revocation<H> | null = null
    let most = share(group) + 1
    for (const holder of holders) {
      if (share(holder.group) <= most) continue
      const from = host ?? [...holder.held.keys()].find((each) => isHeld(holder, each))
      if (from === undefined || !isHeld(holder, from)) continue
      found = { holder, host: from }
      most = share(holder.group)
    }
    return found
  }
}

/** Whether a connection to the host is held and not revoked. */
function isHeld({ held, revoked }: Holder, host: string): boolean {
  return (held.get(host) ?? 0) > (revoked.get(host) ?? 0)
}

function total(counts: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const count of counts.values()) sum += count
  return sum
}

/** Adds to a count and deletes it at zero. */
export function addTo(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
