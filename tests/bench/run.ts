/**
 * `bun run bench [ROUNDS]`: runs the engine and the plain script alternately, so that changes in the machine's speed affect
 * both. Prints medians and the ratio. Everything is on loopback and in a temporary directory.
 */
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../support/temp-dir.ts'
import { WORKLOADS, type Workload } from './workloads.ts'

const rounds = Number(process.argv[2] ?? 3)
using dir = tempDir()
const plainScript = join(import.meta.dir, 'plain.ts')
const [engineScript = '', workerScript = ''] = await build('tests/bench/engine.ts', 'server/engine/worker.ts')
const origin = Bun.spawn([process.execPath, join(import.meta.dir, 'origin.ts'), dir.file('origin')], {
  stdout: 'pipe',
})
try {
  const reader = origin.stdout.getReader()
  const { value } = await reader.read()
  const port = Number(new TextDecoder().decode(value))
  console.log('| workload | plain script | Holdall | ratio | peak memory |\n|---|---|---|---|---|')
  for (const workload of WORKLOADS) console.log(await measure(workload, port))
} finally {
  origin.kill()
}

/** Bundled as in the executable, which doesn't read TypeScript when it starts. */
async function build(...paths: readonly string[]): Promise<string[]> {
  const root = join(import.meta.dir, '../..')
  await Bun.build({
    entrypoints: paths.map((path) => join(root, path)),
    root,
    outdir: dir.file('built'),
    target: 'bun',
    minify: true,
  })
  return paths.map((path) => dir.file(`built/${path.replace('.ts', '.js')}`))
}

async function measure(workload: Workload, port: number): Promise<string> {
  const list = dir.file('list.txt')
  const { count, sizeBytes, latencyMs, contentType } = workload
  const urls = Array.from(
    { length: count },
    (_, n) =>
      `http://127.0.0.1:${port}/${sizeBytes}/${latencyMs}/${n}.bin?type=${encodeURIComponent(contentType)}`,
  )
  writeFileSync(list, urls.join('\n'))
  const plain: Run[] = []
  const engine: Run[] = []
  await run(plainScript, list)
  for (let round = 0; round < rounds; round++) {
    plain.push(await run(plainScript, list))
    engine.push(await run(engineScript, list, workerScript))
  }
  const curl = workload.latencyMs === 0 ? null : await besideCurl(urls, list)
  const seconds = (runs: readonly Run[]) => median(runs.map(({ wallMs }) => wallMs)) / 1000
  const ratio = median(engine.map(({ wallMs }, index) => wallMs / (plain[index]?.wallMs ?? Number.NaN)))
  const peakMB = median(engine.map(({ peakBytes }) => peakBytes)) / 1e6
  const cells = [workload.title, `${seconds(plain).toFixed(2)} s`, `${seconds(engine).toFixed(2)} s`]
  return `| ${[...cells, ratio.toFixed(2), `${peakMB.toFixed(0)} MB`].join(' | ')} |${curl ?? ''}`
}

/** Behind latency what counts is how many connections there are: curl with 16 is what people type. */
async function besideCurl(urls: readonly string[], list: string): Promise<string> {
  const config = urls.map((url, index) => `url = "${url}"\noutput = "${dir.file(`curl/${index}`)}"`)
  writeFileSync(dir.file('curl.conf'), config.join('\n'))
  mkdirSync(dir.file('curl'), { recursive: true })
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const startedMs = performance.now()
    await Bun.spawn(['curl', '-s', '-Z', '--parallel-max', '16', '-K', dir.file('curl.conf')], {
      stderr: 'ignore',
    }).exited
    const curlMs = performance.now() - startedMs
    ratios.push((await run(engineScript, list, workerScript)).wallMs / curlMs)
  }
  return `\nbeside curl -Z --parallel-max 16: ${median(ratios).toFixed(2)}`
}

interface Run {
  /** From the list in hand to the bytes on the disk, as the script says: a service starts and ends only once. */
  readonly wallMs: number
  readonly peakBytes: number
}

async function run(script: string, list: string, ...more: readonly string[]): Promise<Run> {
  const out = dir.file('out.zip')
  const command = [process.execPath, script, list, out, ...more]
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' })
  const wallMs = Number(await child.stdout.text())
  if ((await child.exited) !== 0) throw new Error(`${script} failed`)
  if (statSync(out).size === 0) throw new Error(`${script} wrote nothing`)
  for (const path of [out, `${out}.db`, `${out}.db-wal`, `${out}.db-shm`]) rmSync(path, { force: true })
  return { wallMs, peakBytes: child.resourceUsage()?.maxRSS ?? 0 }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
