import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXECUTABLE } from '../../support/executable.ts'
import type { Bench } from '../bench.ts'
import { runCommand } from '../command.ts'
import { absenceOf, type Contender, CURL_ZIP_0, ZIP_COMMAND } from '../contenders/contender.ts'
import { figure, type Measurement, onlyFigures, ratioOf, timingsOf } from '../measurements/measurement.ts'
import { takeTurns } from '../take-turns.ts'
import { scaled, type Workload } from '../workloads.ts'
import { compileLink, type Line, networkAbsence, openNetwork, type Passed } from './network.ts'
import { type Files, startFarNginx, writeFiles } from './origin.ts'

interface Scenario {
  readonly workload: Workload
  readonly line: Line
  /** What nginx sends over each connection at most, per second; null for no limit. */
  readonly connectionRate: string | null
}

/** Downloads over a long line, as far as this machine can have one. */
export const wan: readonly Measurement[] = (
  [
    {
      workload: workload('wan-small', '2,000 x 20 KB at 80 ms', 2_000, 20_000),
      line: { roundTripMs: 80, megabitsPerSecond: 200, loss: 0 },
      connectionRate: null,
    },
    {
      workload: workload('wan-large', '100 x 2 MB at 80 ms', 100, 2_000_000),
      line: { roundTripMs: 80, megabitsPerSecond: 200, loss: 0 },
      connectionRate: null,
    },
    {
      workload: workload('wan-throttled', '1 x 200 MB at 100 ms, 5 MiB/s per connection', 1, 200_000_000),
      line: { roundTripMs: 100, megabitsPerSecond: 400, loss: 0 },
      connectionRate: '5m',
    },
    {
      workload: workload('wan-lossy', '40 x 2 MB at 100 ms, 1 percent of packets lost', 40, 2_000_000),
      line: { roundTripMs: 100, megabitsPerSecond: 200, loss: 0.01 },
      connectionRate: null,
    },
  ] satisfies Scenario[]
).map(measurementOf)

function workload(name: string, title: string, count: number, sizeBytes: number): Workload {
  return { name, title, count, sizeBytes, content: 'noise', latencyMs: 0 }
}

function measurementOf({ workload, line, connectionRate }: Scenario): Measurement {
  const { name, title } = workload
  return {
    name,
    title,
    async run(bench) {
      const absence = networkAbsence()
      if (absence !== null) return onlyFigures([figure(title, 's', [], null, absence)])
      const program = await compileLink(bench)
      const far = scaled(workload, bench.scale)
      const files = writeFiles(bench, far)
      const passed = new Map<string, Passed>()
      const over = (contender: Downloader): Contender => ({
        ...contender,
        async run() {
          const network = await openNetwork(program, line)
          try {
            await using _nginx = await startFarNginx(bench, network, files.root, connectionRate)
            return await timed(bench, contender, network.onClient, files, far)
          } finally {
            passed.set(contender.name, await network.close())
          }
        },
      })
      const turns = await takeTurns([holdall, holdallWith64, curl, aria2c].map(over), bench)
      for (const [program, { connections, droppedPackets }] of passed)
        console.log(`${program}: ${connections} connections, ${droppedPackets} packets dropped or lost`)
      const ratio = (peer: string) =>
        figure(
          `${name}, ${ZIP_COMMAND} / ${peer}`,
          'x',
          ratioOf(turns, ZIP_COMMAND, peer),
          {
            atMost: 1,
          },
          turns.absences.get(peer),
        )
      return { timings: timingsOf(turns), figures: [ratio(CURL_ZIP_0), ratio(ARIA2C)], panel: null }
    },
  }
}

/** A program that makes `out.zip` of the URLs in `urls.txt`, in its working directory. */
interface Downloader extends Pick<Contender, 'name' | 'absence' | 'isPeer'> {
  /** A script for `sh`. */
  readonly script: string
}

const holdall: Downloader = {
  name: ZIP_COMMAND,
  absence: null,
  isPeer: false,
  script: `${EXECUTABLE} zip -o out.zip -i urls.txt --allow-network 10.77.0.0/16`,
}

const holdallWith64: Downloader = {
  ...holdall,
  name: `${ZIP_COMMAND} --host-connections 64`,
  script: `${holdall.script} --host-connections 64`,
}

const curl: Downloader = {
  name: CURL_ZIP_0,
  absence: absenceOf('curl', 'zip'),
  isPeer: true,
  script: `sed 's/.*/url = "&"\\nremote-name/' urls.txt > urls.conf && mkdir files && cd files &&
    curl -s -f -Z --parallel-max 50 --retry 5 -K ../urls.conf && zip -0 -q -r -D ../out.zip .`,
}

const ARIA2C = 'aria2c -x16, zip -0'
const aria2c: Downloader = {
  name: ARIA2C,
  absence: absenceOf('aria2c', 'zip'),
  isPeer: true,
  script: `mkdir files && aria2c -q --no-conf -j16 -x16 -s16 -k1M --file-allocation=none -i urls.txt -d files &&
    cd files && zip -0 -q -r -D ../out.zip .`,
}

async function timed(
  bench: Bench,
  { name, script }: Downloader,
  onClient: readonly string[],
  { urls }: Files,
  far: Workload,
) {
  const work = bench.newPath('wan')
  mkdirSync(work)
  writeFileSync(join(work, 'urls.txt'), `${urls.join('\n')}\n`)
  const { wallMs } = await runCommand([...onClient, 'sh', '-c', script], { cwd: work, signal: bench.signal })
  const out = join(work, 'out.zip')
  await bench.verifier.verify(name, out, far)
  const archiveBytes = statSync(out).size
  rmSync(work, { recursive: true })
  return { [name]: { wallMs, peakBytes: null, archiveBytes } }
}
