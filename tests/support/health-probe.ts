/**
 * Asks a service for `/health` over and over, each time as a new client, in a process of its own, so that what the test
 * does meanwhile holds nothing up.
 */
import { join } from 'node:path'

export interface HealthProbe {
  /** Ends it. Times of all answers in milliseconds, sorted; a request without a 200 counts as `Infinity`. */
  finish(): Promise<readonly number[]>
}

export async function probeHealth(address: string): Promise<HealthProbe> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'health-probe.ts'), address], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = linesOf(child.stdout)
  // It says when it has had its first answer: how long Bun takes to start is not asked.
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

/** The time that so many of a hundred answers took at most. */
export function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const piece of stream) {
    const lines = (text + decoder.decode(piece, { stream: true })).split('\n')
    text = lines.pop() ?? ''
    yield* lines
  }
}

const INTERVAL_MS = 20

async function probe(address: string): Promise<void> {
  const times: number[] = []
  let isOver = false
  void Bun.stdin.text().then(() => {
    isOver = true
  })
  const ask = async () => {
    const startedMs = performance.now()
    const ok = await fetch(`${address}/health`, { keepalive: false }).then(
      ({ status }) => status === 200,
      () => false,
    )
    return ok ? performance.now() - startedMs : Number.POSITIVE_INFINITY
  }
  await ask()
  console.log('ready')
  while (!isOver) {
    times.push(await ask())
    await Bun.sleep(INTERVAL_MS)
  }
  console.log(JSON.stringify(times))
}

if (import.meta.main) await probe(process.argv[2] ?? '')
