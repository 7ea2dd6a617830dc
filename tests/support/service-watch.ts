import { expect } from 'bun:test'
import { join } from 'node:path'
import type { Holdall } from './executable.ts'
import { expectAllAnswered, percentile, probeHealth } from './health-probe.ts'
import { linesOf } from './lines-of.ts'

/** Watches what an attack does to everybody else. */
export interface ServiceWatch {
  /** Expects that the process took little memory and responded soon. @returns the figures, in words */
  finish(): Promise<string>
}

const MAX_HEALTH_MS = 50
const MAX_MEMORY_BYTES = 300_000_000

/** Probes a server that does nothing, too: a busy machine delays both. */
export async function watchService(
  holdall: Pick<Holdall, 'address' | 'peakMemoryBytes'>,
): Promise<ServiceWatch> {
  const bare = Bun.spawn([process.execPath, join(import.meta.dir, 'bare-server.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const { value: bareAddress = '' } = await linesOf(bare.stdout).next()
  const [probe, bareProbe] = await Promise.all([probeHealth(holdall.address), probeHealth(bareAddress)])
  return {
    async finish() {
      const [times, bareTimes] = await Promise.all([probe.finish(), bareProbe.finish()])
      bare.stdin.end()
      const memoryBytes = holdall.peakMemoryBytes()
      const shown = [50, 99, 100].map((percent) => `${percent} % ${percentile(times, percent).toFixed(1)} ms`)
      const machineMs = percentile(bareTimes, 99)
      expectAllAnswered(times)
      expect(percentile(times, 99) - machineMs).toBeLessThan(MAX_HEALTH_MS)
      expect(memoryBytes).toBeLessThan(MAX_MEMORY_BYTES)
      return (
        `/health ${times.length} times: ${shown.join(', ')} (a bare server: 99 % ${machineMs.toFixed(1)} ms); ` +
        `memory at most ${(memoryBytes / 1e6).toFixed(0)} MB`
      )
    },
  }
}
