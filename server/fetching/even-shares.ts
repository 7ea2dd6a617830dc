/** What a client of the connection pool waits for and holds, by host. */
export interface Holder {
  readonly group: string
  readonly waiting: ReadonlyMap<string, number>
  readonly held: ReadonlyMap<string, number>
  /** Of those held, how many it was told to give back. */
  readonly taken: Map<string, number>
}

/** How many more connections there may be; below zero where a bound has sunk since they were opened. */
export interface Room {
  readonly inAll: number
  of(host: string): number
}

/** A connection that its holder is to give back. */
export interface Taken<H> {
  readonly holder: H
  readonly host: string
}

/**
 * Chooses connections of the groups that have the most for those that wait, as long as that makes the shares more
 * even, and counts them as `taken`. What was taken before is on its way back and serves first.
 */
export function takeForOthers<H extends Holder>(holders: readonly H[], room: Room): Taken<H>[] {
  const chosen: Taken<H>[] = []
  const shares = new Map<string, number>()
  const rooms = new Map<string, number>()
  let roomInAll = room.inAll
  for (const { group, held, taken } of holders) {
    addTo(shares, group, total(held) - total(taken))
    roomInAll += total(taken)
  }

  const share = (group: string) => shares.get(group) ?? 0
  const poorestFirst = [...holders].sort((a, b) => share(a.group) - share(b.group))
  for (const { group, waiting } of poorestFirst) {
    for (const [host, count] of waiting) {
      for (let served = 0; served < count && serve(group, host); served++);
      if (roomInAll <= 0 && richest(null, group) === null) break
    }
  }
  return chosen

  /** Finds a connection for one request; false when it has to wait. */
  function serve(group: string, host: string): boolean {
    const isHostFull = roomOf(host) <= 0
    if (isHostFull || roomInAll <= 0) {
      const from = richest(isHostFull ? host : null, group)
      if (from === null) return false
      chosen.push(from)
      addTo(shares, from.holder.group, -1)
      rooms.set(from.host, roomOf(from.host) + 1)
      roomInAll += 1
      addTo(from.holder.taken, from.host, 1)
    }
    rooms.set(host, roomOf(host) - 1)
    roomInAll -= 1
    addTo(shares, group, 1)
    return true
  }

  function roomOf(host: string): number {
    const known = rooms.get(host)
    const onItsWay = () => holders.reduce((sum, { taken }) => sum + (taken.get(host) ?? 0), 0)
    const free = known ?? room.of(host) + onItsWay()
    rooms.set(host, free)
    return free
  }

  /** Of the connections to a host (null: to any), one of the group with the most, if those are two more than ours. */
  function richest(host: string | null, group: string): Taken<H> | null {
    let found: Taken<H> | null = null
    let most = share(group) + 1
    for (const holder of holders) {
      if (share(holder.group) <= most) continue
      const from = host ?? [...holder.held.keys()].find((each) => isLeft(holder, each))
      if (from === undefined || !isLeft(holder, from)) continue
      found = { holder, host: from }
      most = share(holder.group)
    }
    return found
  }
}

function isLeft({ held, taken }: Holder, host: string): boolean {
  return (held.get(host) ?? 0) > (taken.get(host) ?? 0)
}

function total(counts: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const count of counts.values()) sum += count
  return sum
}

/** Adds to a count, dropping it at zero. */
export function addTo(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
