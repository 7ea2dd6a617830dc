/**
 * The engine's worker with a fault that tests choose by the first URL of a job: `fault=throw-3-100` throws an uncaught
 * error 100 ms after the run has started, in each of the first three runs; `fault=hang-2-100` loops without end;
 * `fault=stuck-1-100` is stuck in a system call until `releasePipe`. Next to the archive, the file `.runs` holds how
 * many runs have started, and the file `.fault` appears when a fault occurs. With `go` in place of the milliseconds, it occurs when
 * the test writes the file `.go`.
 */
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import type { SourceToPack } from '../../server/engine/job-order.ts'
import type { ToWorker } from '../../server/engine/threads/messages.ts'
import '../../server/engine/threads/worker.ts'
import { makePipe } from './stuck-pipe.ts'

declare const self: Worker

const handleMessage = self.onmessage
let archivePath = ''

self.onmessage = (event: MessageEvent<ToWorker>) => {
  handleMessage?.call(self, event)
  if (event.data.type === 'run') archivePath = event.data.order.archivePath
  if (event.data.type !== 'sources') return
  const [first]: SourceToPack[] = JSON.parse(event.data.sources)
  const [, kind, faultyRuns = '0', delayMs = '0'] =
    /fault=(throw|hang|stuck)-(\d+)-(\d+|go)/.exec(first?.url ?? '') ?? []
  const path = `${archivePath}.runs`
  const earlierRuns = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0
  writeFileSync(path, String(earlierRuns + 1))
  if (earlierRuns >= Number(faultyRuns)) return
  const fail = () => {
    // The pipe exists before a test sees the fault, since tests release it at any time from then on.
    const pipe = kind === 'stuck' ? makePipe(archivePath) : null
    writeFileSync(`${archivePath}.fault`, '')
    if (kind === 'throw') throw new Error('a fault on purpose')
    if (pipe !== null) return void openSync(pipe, 'r')
    for (;;);
  }
  if (delayMs !== 'go') return void setTimeout(fail, Number(delayMs))
  const look = setInterval(() => {
    if (!existsSync(`${archivePath}.go`)) return
    clearInterval(look)
    fail()
  }, 5)
}
