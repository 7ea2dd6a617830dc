import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { constants, devNull } from 'node:os'
import { systemCode } from './system-error.ts'

/**
 * How many descriptors this process may have; null where the system does not count them as Linux does from 6.2 on (proc(5)).
 * Read at the start, since that takes a descriptor.
 */
export const descriptorLimit = readLimit()

/** Opens no descriptor itself. Only where there is a `descriptorLimit`. */
export function openDescriptors(): number {
  return statSync('/proc/self/fd').size
}

/** Whether so many descriptors are free that clients can't take them all while a thread starts. */
export function areManyDescriptorsFree(): boolean {
  return descriptorLimit !== null && descriptorLimit - openDescriptors() >= MANY_DESCRIPTORS
}

/** False while clients hold all descriptors. Idle clients lose theirs within seconds (`http/clients/keep-descriptors-free.ts`). */
export function isDescriptorFree(): boolean {
  try {
    closeSync(openSync(devNull, 'r'))
    return true
  } catch (error) {
    if (isOutOfDescriptors(error)) return false
    throw error
  }
}

export function isOutOfDescriptors(error: unknown): boolean {
  if (/^E[MN]FILE$/.test(systemCode(error))) return true
  // `networkInterfaces` throws an error with another code, but with the number of the system.
  return error instanceof Error && 'errno' in error && error.errno === constants.errno.EMFILE
}

function readLimit(): number | null {
  if (process.platform !== 'linux' || openDescriptors() === 0) return null
  const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
  return soft === undefined ? null : Number(soft)
}

/** To accept so many clients takes ten times as long as a thread takes to start (2 to 20 ms). */
const MANY_DESCRIPTORS = 16_384
/** After this long, work that waits for a descriptor fails: clients that are not idle keep theirs. */
export const MAX_SHORTAGE_MS = 20_000
/** How often waiting work tries to get a descriptor. */
export const SHORTAGE_RETRY_MS = 50
