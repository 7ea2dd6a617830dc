import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { runCommand } from '../command.ts'
import type { Served } from '../origin/start.ts'
import { connectionsFor } from './ceiling.ts'
import { absenceOf, type Contender } from './contender.ts'

/** The parts of the ceiling's work, measured separately. */
export function floors(bench: Bench, served: Served): Contender[] {
  return [networkFloor(bench, served), diskFloor(bench, served)]
}

/** Fetches all URLs as the ceiling does, and discards the bodies. */
function networkFloor(bench: Bench, { workload, listPath }: Served): Contender {
  const name = 'floor: fetch alone'
  return {
    name,
    absence: null,
    isPeer: false,
    async run() {
      const { stdout, peakBytes } = await runCommand(
        [process.execPath, FETCH_SCRIPT, listPath, `${connectionsFor(workload)}`],
        { cwd: bench.workDir, signal: bench.signal, watchesMemory: true },
      )
      return { [name]: { wallMs: Number(stdout), peakBytes, archiveBytes: null } }
    },
  }
}

const FETCH_SCRIPT = join(import.meta.dir, '../scripts/fetch-only.ts')

/** Writes the same number of bytes to one file, with one fdatasync at the end. */
function diskFloor(bench: Bench, { workload }: Served): Contender {
  const name = 'floor: dd with fdatasync alone'
  const sizeBytes = workload.count * workload.sizeBytes
  return {
    name,
    absence: absenceOf('dd'),
    isPeer: true,
    async run() {
      const out = bench.newPath('floor.bin')
      const { wallMs, peakBytes } = await runCommand(
        [
          'dd',
          'if=/dev/zero',
          `of=${out}`,
          'bs=1M',
          `count=${sizeBytes}`,
          'iflag=count_bytes',
          'conv=fdatasync',
          'status=none',
        ],
        { cwd: bench.workDir, signal: bench.signal, watchesMemory: true },
      )
      rmSync(out)
      return { [name]: { wallMs, peakBytes, archiveBytes: null } }
    },
  }
}
