/**
 * One call to the system by which a thread changes a file: the so-manieth of that name, from 1, since strace counts each
 * name of each thread for itself.
 */
export interface FileCall {
  readonly name: string
  readonly nth: number
}

/** What happens at a call: the process is killed before it, or the system refuses it once. */
export interface Fault {
  readonly kind: FaultKind
  readonly at: FileCall
}

export type FaultKind = 'KILL' | 'ENOSPC' | 'EIO'

/** All by which Bun and SQLite change files that are open or named; not `write`, which is what they wake threads by. */
export const FILE_CALLS =
  'pwrite64,pwritev,pwritev2,fsync,fdatasync,ftruncate,fallocate,rename,renameat,renameat2,unlink,unlinkat,link,linkat'

/** What tells strace of a fault. */
export function injection(fault: Fault | null): string[] {
  if (fault === null) return []
  const what = fault.kind === 'KILL' ? 'signal=KILL' : `error=${fault.kind}`
  return ['-e', `inject=${fault.at.name}:${what}:when=${fault.at.nth}`]
}

/** The calls that strace wrote down, in their order; what several threads of a role do alike is one. */
export function callsOf(log: string): FileCall[] {
  const counts = new Map<string, number>()
  const calls = new Map<string, FileCall>()
  // A call that was interrupted by another thread's has a second line, which says `resumed`.
  for (const [, thread = '', name = ''] of log.matchAll(/^(?:(\d+) +)?(\w+)\(/gm)) {
    const nth = (counts.get(`${thread} ${name}`) ?? 0) + 1
    counts.set(`${thread} ${name}`, nth)
    calls.set(`${name} ${nth}`, { name, nth })
  }
  return [...calls.values()]
}
