import { rmSync, statSync } from 'node:fs'
import { EXECUTABLE } from '../../support/executable.ts'
import type { Bench } from '../bench.ts'
import { runCommand } from '../command.ts'
import type { Served } from '../origin/start.ts'
import { type Contender, ZIP_COMMAND } from './contender.ts'

/** `holdall zip`, measured from the start of its process to the end. */
export function zipCommand(bench: Bench, { workload, listPath }: Served): Contender {
  return {
    name: ZIP_COMMAND,
    absence: null,
    isPeer: false,
    async run() {
      const out = bench.newPath('holdall.zip')
      const { wallMs, peakBytes } = await runCommand(
        [EXECUTABLE, 'zip', '-o', out, '-i', listPath, '--allow-network', '127.0.0.0/8'],
        { cwd: bench.workDir, signal: bench.signal, watchesMemory: true },
      )
      await bench.verifier.verify(ZIP_COMMAND, out, workload)
      const archiveBytes = statSync(out).size
      rmSync(out)
      return { [ZIP_COMMAND]: { wallMs, peakBytes, archiveBytes } }
    },
  }
}
