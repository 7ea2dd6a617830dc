import { closeSync, openSync, readdirSync, readlinkSync } from 'node:fs'
import { loadCLibrary } from '../../server/files/c-library.ts'

/** From now on, this process meets a full disk when it writes to a file that it has open (full(4)). Linux only. */
export function fillDiskOf(path: string): void {
  const fds = readdirSync('/proc/self/fd').map(Number)
  const opened = fds.filter((fd) => targetOf(fd) === path)
  if (opened.length === 0) throw new Error(`${path} is not open`)
  const full = openSync('/dev/full', 'r+')
  for (const fd of opened) libc?.dup2(full, fd)
  closeSync(full)
}

/** The descriptor that lists the others is closed by now. */
function targetOf(fd: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return null
  }
}

const libc = loadCLibrary({ dup2: { args: ['int', 'int'], returns: 'int' } })
