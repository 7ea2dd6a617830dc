import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PRIVATE_DIRECTORY } from '../data/data-dir.ts'
import { areManyDescriptorsFree } from '../files/descriptors.ts'
import type { Log } from '../logging/log.ts'
import { IN_PLACE_BODY_BYTES } from './bodies/incoming-body.ts'
import type { JobRunner } from './job-runner.ts'

/** Runs jobs with another runner, which can be warmed up. Disposing of it stops the warm-up. */
export interface WarmRunner extends JobRunner, AsyncDisposable {
  /**
   * Soon runs a job that no user sees: it packs small files that this process sends to itself. Code is compiled only after it
   * has run for a while, so without that, the first job of a user takes a fifth more time (decisions/0137). If that job comes
   * first, there is no warm-up, and if it comes meanwhile, the warm-up stops.
   */
  warmUp(): void
}

/** @param directory of the archive of the warm-up. Created and deleted here */
export function openWarmRunner(runner: JobRunner, directory: string, log: Log): WarmRunner {
  const stop = new AbortController()
  let timer: Timer | undefined
  let warmedUp = Promise.resolve()
  const endWarmUp = () => {
    stop.abort()
    return warmedUp
  }
  return {
    warmUp() {
      timer = setTimeout(() => {
        warmedUp = packOwnFiles(runner, directory, stop.signal).then(
          (status) => log.debug(`warm-up ${status}`),
          (error: unknown) => log.debug('warm-up failed', { error }),
        )
      }, WARM_UP_AFTER_MS)
    },
    async run(order, recorder, signal) {
      await endWarmUp()
      return await runner.run(order, recorder, signal)
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer)
      await endWarmUp()
    },
  }
}

async function packOwnFiles(
  runner: JobRunner,
  directory: string,
  signal: AbortSignal,
): Promise<'completed' | 'stopped' | 'skipped'> {
  const remove = () => rmSync(directory, { recursive: true, force: true })
  // A service that was killed while it warmed up has left it.
  remove()
  // Each connection takes two descriptors, which clients may need more.
  if (signal.aborted || !areManyDescriptorsFree()) return 'skipped'
  using stack = new DisposableStack()
  stack.defer(remove)
  mkdirSync(directory, { mode: PRIVATE_DIRECTORY })
  const host = Bun.serve({ hostname: HOST, port: 0, fetch: () => new Response(BODY, { headers: HEADERS }) })
  stack.defer(() => void host.stop(true))
  const outcome = await runner.run(
    {
      jobId: NAME,
      group: NAME,
      archivePath: join(directory, 'archive.zip'),
      sources: Array.from({ length: FILE_COUNT }, (_, position) => ({
        url: `http://${HOST}:${host.port}/${position}.jpg`,
        filename: null,
      })),
      failOnUrlError: true,
      maxZipBytes: Number.MAX_SAFE_INTEGER,
      checkpoint: { entries: [], move: null },
      base: null,
      network: { allowedNetworks: [HOST], ownPort: null },
    },
    { commit() {}, progress() {} },
    signal,
  )
  if (outcome.status === 'failed') throw new Error(outcome.failure.message)
  return outcome.status
}

const NAME = 'warm-up'
const HOST = '127.0.0.1'
/** The first requests have been answered by then: those of the user who has started the service, or of the browser. */
const WARM_UP_AFTER_MS = 100
/** After so many, most of the code is compiled. They take some 250 ms. */
const FILE_COUNT = 2000
/** The smallest that takes the same way as most files. The archive takes 33 MB. */
const BODY = new Uint8Array(IN_PLACE_BODY_BYTES)
/** Those that hosts of files usually send, and that a job reads. */
const HEADERS = {
  'content-type': 'image/jpeg',
  etag: '"0123456789abcdef"',
  'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
}
