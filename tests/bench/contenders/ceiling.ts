import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { runCommand } from '../command.ts'
import type { Served } from '../origin/start.ts'
import { LARGE_BODY_BYTES, type Workload } from '../workloads.ts'
import { CEILING, CEILING_COMMAND, type Contender } from './contender.ts'

/** The durable ceiling: a minimal script for the same runtime, in one thread. See `scripts/ceiling.ts`. */
export function ceiling(bench: Bench, { workload, listPath }: Served): Contender {
  return {
    name: CEILING,
    absence: null,
    isPeer: false,
    async run() {
      const out = bench.newPath('ceiling.zip')
      const method = workload.content === 'text' ? 'deflate' : 'store'
      const { stdout, ...command } = await runCommand(
        [process.execPath, SCRIPT, listPath, out, `${connectionsFor(workload)}`, method],
        { cwd: bench.workDir, signal: bench.signal, watchesMemory: true },
      )
      await bench.verifier.verify(CEILING, out, workload)
      const archiveBytes = statSync(out).size
      rmSync(out)
      const { peakBytes } = command
      return {
        [CEILING]: { wallMs: Number(stdout), peakBytes, archiveBytes },
        [CEILING_COMMAND]: { wallMs: command.wallMs, peakBytes, archiveBytes },
      }
    },
  }
}

/** The number of connections of the scripts. More connections are not faster on two cores. */
export function connectionsFor({ sizeBytes }: Workload): number {
  return sizeBytes < LARGE_BODY_BYTES ? 32 : 4
}

const SCRIPT = join(import.meta.dir, '../scripts/ceiling.ts')
