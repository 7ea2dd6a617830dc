/**
 * The engine's worker in bad health: for each job it counts, in a file beside the archive, how often it was begun,
 * and the first times it dies or hangs instead of running it. What is to happen stands in the first URL of the job:
 * `frail=throw-3-100` throws where nobody catches, three times, 100 ms after the job has begun; `frail=hang-2-100` runs
 * in circles; `frail=stick-1-100` is stuck in a call to the system until `unstick`. A file beside it, `.sick`, appears
 * when it does any of these.
 */
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import type { ToWorker } from '../../server/engine/messages.ts'
import '../../server/engine/worker.ts'
import { pipeOf } from './stuck-pipe.ts'

declare const self: Worker

const runWell = self.onmessage
let archivePath = ''

self.onmessage = (event: MessageEvent<ToWorker>) => {
  runWell?.call(self, event)
  if (event.data.type === 'run') archivePath = event.data.order.archivePath
  if (event.data.type !== 'sources') return
  const [, how, times = '0', afterMs = '0'] =
    /frail=(throw|hang|stick)-(\d+)-(\d+)/.exec(event.data.sources[0]?.url ?? '') ?? []
  const path = `${archivePath}.begun`
  const begun = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0
  writeFileSync(path, String(begun + 1))
  if (begun >= Number(times)) return
  setTimeout(() => {
    writeFileSync(`${archivePath}.sick`, '')
    if (how === 'throw') throw new Error('frail')
    if (how === 'stick') return void openSync(pipeOf(archivePath), 'r')
    for (;;);
  }, Number(afterMs))
}
