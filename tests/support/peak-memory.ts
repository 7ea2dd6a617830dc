import { readFileSync } from 'node:fs'

/**
 * The most memory that a process has held at once since its start: VmHWM, the peak of resident memory, in KiB
 * (proc(5)).
 * @returns null once the process has ended
 */
export function peakMemoryBytes(pid: number): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const kib = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]
    return kib === undefined ? null : Number(kib) * 1024
  } catch {
    return null
  }
}
