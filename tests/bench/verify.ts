import { dirname } from 'node:path'
import { runCommand } from './command.ts'
import type { Workload } from './workloads.ts'

/** Checks archives with Info-ZIP's programs. */
export interface Verifier {
  /**
   * Checks the first archive of each contender and workload. Later ones come from the same program and responses, and
   * reading them would take longer than creating them.
   * @throws if entries are damaged or missing
   */
  verify(contender: string, archivePath: string, workload: Workload): Promise<void>
}

/** Info-ZIP's unzip checks the CRC-32 of each entry. Then zipinfo counts entries and bytes. */
export function openVerifier(signal: AbortSignal): Verifier {
  const verified = new Set<string>()
  return {
    async verify(contender, archivePath, workload) {
      const { title, count, sizeBytes } = workload
      const key = `${contender}: ${title}, ${count} x ${sizeBytes}`
      if (verified.has(key)) return
      const options = { cwd: dirname(archivePath), signal }
      await runCommand(['unzip', '-tqq', archivePath], options)
      const { stdout } = await runCommand(['unzip', '-Zt', archivePath], options)
      const expected = `${count} file${count === 1 ? '' : 's'}, ${count * sizeBytes} bytes uncompressed`
      if (!stdout.startsWith(expected)) throw new Error(`${key}: the archive has ${stdout.trim()}`)
      verified.add(key)
    },
  }
}
