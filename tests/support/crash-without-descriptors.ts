/**
 * Runs a job whose thread dies while this process has no free descriptor, as in a flood of clients, runs it again in the
 * same moment, and prints how it ended. Arguments: the path of the archive and the URL of its one source.
 */
import { closeSync, existsSync, openSync } from 'node:fs'
import { WorkerCrashed } from '../../server/engine/job-runner.ts'
import { WorkerPool } from '../../server/engine/threads/pool.ts'
import { openLog } from '../../server/logging/log.ts'
import { DEFAULT_FETCH_SETTINGS } from './default-fetch-settings.ts'
import { plainOrder } from './plain-order.ts'
import { until } from './until.ts'

const [archivePath = '', url = ''] = process.argv.slice(2)
const pool = new WorkerPool({
  workerUrl: new URL('faulty-worker.ts', import.meta.url),
  reach: { bounds: { total: 64, perHost: 32 }, fetching: DEFAULT_FETCH_SETTINGS },
  log: openLog(undefined, () => {}),
})
await pool.prepare()

function run() {
  return pool.run(
    plainOrder(archivePath, [url]),
    { async commit() {}, progress() {} },
    new AbortController().signal,
  )
}

const first = run().catch((error: unknown) => error)
await until('the run has begun', () => existsSync(`${archivePath}.runs`), { everyMs: 1 })
const taken = takeAllDescriptors()
if (!((await first) instanceof WorkerCrashed)) throw new Error(`not a crash: ${await first}`)
const second = run()
for (const fd of taken) closeSync(fd)
const { status } = await second
await pool[Symbol.asyncDispose]()
process.stdout.write(status)
process.exit(0)

function takeAllDescriptors(): number[] {
  const fds: number[] = []
  try {
    for (;;) fds.push(openSync('/dev/null', 'r'))
  } catch {
    return fds
  }
}
