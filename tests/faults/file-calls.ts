/**
 * One system call by which a thread changes a file. Calls of the same name are numbered from 1 in each thread, since
 * strace counts each name in each thread separately.
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

/** All system calls by which Bun and SQLite change files. Not `write`, which they use to wake threads. */
export const FILE_CALLS =
  'pwrite64,pwritev,pwritev2,fsync,fdatasync,ftruncate,fallocate,rename,renameat,renameat2,unlink,unlinkat,link,linkat'

/** The strace argument for a fault. */
export function injection(fault: Fault | null): string[] {
  if (fault === null) return []
  const what = fault.kind === 'KILL' ? 'signal=KILL' : `error=${fault.kind}`
  return ['-e', `inject=${fault.at.name}:${what}:when=${fault.at.nth}`]
}

/** The calls in the output of strace, in order. Equal calls of several threads with the same role count once. */
export function callsOf(log: string): FileCall[] {
  const counts = new Map<string, number>()
  const calls = new Map<string, FileCall>()
  // A call that is interrupted by one of another thread has a second line with `resumed`.
  for (const [, thread = '', name = ''] of log.matchAll(/^(?:(\d+) +)?(\w+)\(/gm)) {
    const nth = (counts.get(`${thread} ${name}`) ?? 0) + 1
    counts.set(`${thread} ${name}`, nth)
    calls.set(`${name} ${nth}`, { name, nth })
  }
  return [...calls.values()]
}
