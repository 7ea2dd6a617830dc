/**
 * Requests `/health` of a service repeatedly, each time over a new connection. Runs in its own process, so that work of
 * the test does not delay it.
 */
import { join } from 'node:path'
import { linesOf } from './lines-of.ts'

export interface HealthProbe {
  /** Stops it. @returns all response times in milliseconds, sorted; `Infinity` for a request without a 200 */
  finish(): Promise<readonly number[]>
}

export async function probeHealth(address: string): Promise<HealthProbe> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'health-probe.ts'), address], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = linesOf(child.stdout)
  // The first line comes after the first response, so that the start of Bun is not measured.
  await lines.next()
  return {
    async finish() {
      child.stdin.end()
      const { value = '[]' } = await lines.next()
      const times: (number | null)[] = JSON.parse(value)
      return times.map((ms) => ms ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b)
    },
  }
}

/** @throws if a request to `/health` was not answered with 200 */
export function expectAllAnswered(times: readonly number[]): void {
  const failed = times.filter((ms) => !Number.isFinite(ms)).length
  if (failed > 0 || times.length === 0)
    throw new Error(`${failed} of ${times.length} requests to /health were not answered with 200.`)
}

/** The time below which this percentage of the responses stayed. */
export function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN
}

const INTERVAL_MS = 20

async function probe(address: string): Promise<void> {
  const times: number[] = []
  let isStopped = false
  void Bun.stdin.text().then(() => {
    isStopped = true
  })
  const measure = async () => {
    const startedMs = performance.now()
    const ok = await fetch(`${address}/health`, { keepalive: false }).then(
      ({ status }) => status === 200,
      () => false,
    )
    return ok ? performance.now() - startedMs : Number.POSITIVE_INFINITY
  }
  await measure()
  console.log('ready')
  while (!isStopped) {
    times.push(await measure())
    await Bun.sleep(INTERVAL_MS)
  }
  console.log(JSON.stringify(times))
}

if (import.meta.main) await probe(process.argv[2] ?? '')
