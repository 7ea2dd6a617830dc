import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { peakMemoryBytes } from '../support/peak-memory.ts'

/** Disk use of a process and of the directory that it writes to, so far. */
export interface DiskUse {
  /** Peak disk space of the directory's files, in bytes. */
  readonly peakBytes: number
  /** Bytes that the process has written by system calls, including those to sockets and pipes. */
  readonly bySystemCallsBytes: number
  /** Bytes that the kernel has written, or will write, to the disk. */
  readonly toDiskBytes: number
  readonly peakMemoryBytes: number
}

/** Measures every 20 ms until disposed of. Keeps the last values when the process has ended. */
export function watchDiskUse(pid: number, directory: string): { figures(): DiskUse } & Disposable {
  let figures: DiskUse = { peakBytes: 0, bySystemCallsBytes: 0, toDiskBytes: 0, peakMemoryBytes: 0 }
  const measure = () => {
    const peakBytes = Math.max(figures.peakBytes, allocatedBytes(directory))
    figures = { ...figures, ...countersOf(pid), peakBytes }
  }
  const timer = setInterval(measure, INTERVAL_MS)
  return {
    figures() {
      measure()
      return figures
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

/** The allocated bytes of all files, without holes. Blocks always have 512 bytes here (stat(2)). */
function allocatedBytes(directory: string): number {
  let bytes = 0
  for (const name of readdirSync(directory))
    bytes += (statSync(join(directory, name), { throwIfNoEntry: false })?.blocks ?? 0) * 512
  return bytes
}

/** Reads the counters of the kernel (proc(5)). @returns null if the process has ended */
function countersOf(pid: number): Omit<DiskUse, 'peakBytes'> | null {
  try {
    const io = readFileSync(`/proc/${pid}/io`, 'utf8')
    const memoryBytes = peakMemoryBytes(pid)
    if (memoryBytes === null) return null
    return {
      bySystemCallsBytes: Number(/^wchar: (\d+)$/m.exec(io)?.[1]),
      toDiskBytes: Number(/^write_bytes: (\d+)$/m.exec(io)?.[1]),
      peakMemoryBytes: memoryBytes,
    }
  } catch {
    return null
  }
}

const INTERVAL_MS = 20
