import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { runCommand } from '../command.ts'
import type { Served } from '../origin/start.ts'
import { absenceOf, type Contender } from './contender.ts'
import { PEER_CONNECTIONS } from './download-and-zip.ts'

/** A script with Python's own zipfile and a pool of threads. */
export function python(bench: Bench, { workload, listPath }: Served): Contender {
  const name = 'python, zipfile'
  const heldBytes = Math.min(workload.count, PEER_CONNECTIONS) * workload.sizeBytes
  return {
    name,
    absence: heldBytes > MAX_HELD_BYTES ? 'would hold too much in memory' : absenceOf('python3'),
    isPeer: true,
    async run() {
      const out = bench.newPath('python.zip')
      const method = workload.content === 'text' ? 'deflate' : 'store'
      const { wallMs, peakBytes } = await runCommand(
        ['python3', SCRIPT, listPath, out, `${PEER_CONNECTIONS}`, method],
        { cwd: bench.workDir, signal: bench.signal, watchesMemory: true },
      )
      await bench.verifier.verify(name, out, workload)
      const archiveBytes = statSync(out).size
      rmSync(out)
      return { [name]: { wallMs, peakBytes, archiveBytes } }
    },
  }
}

/** The script reads bodies whole, as such scripts do. */
const MAX_HELD_BYTES = 2e9
const SCRIPT = join(import.meta.dir, '../scripts/threads.py')
