import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../../support/temp-dir.ts'
import type { Workload } from '../workloads.ts'
import { paths } from './paths.ts'

/** A workload with a running origin, until it is disposed of. */
export interface Served extends AsyncDisposable {
  readonly workload: Workload
  readonly urls: readonly string[]
  /** The path of a file with one URL per line. */
  readonly listPath: string
}

/** Starts an origin for a workload, in its own process. */
export async function serve(workload: Workload): Promise<Served> {
  using stack = new DisposableStack()
  const dir = stack.use(tempDir())
  const script = join(import.meta.dir, 'serve.ts')
  const child = Bun.spawn([process.execPath, script, JSON.stringify(workload), dir.path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  stack.defer(() => child.kill('SIGKILL'))
  const port = await firstLine(child.stdout)
  const urls = paths(workload).map((path) => `http://127.0.0.1:${port}${path}`)
  const listPath = dir.file('urls')
  writeFileSync(listPath, `${urls.join('\n')}\n`)
  const owned = stack.move()
  return {
    workload,
    urls,
    listPath,
    async [Symbol.asyncDispose]() {
      owned.dispose()
      await child.exited
    },
  }
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of stream) {
    text += decoder.decode(bytes, { stream: true })
    const end = text.indexOf('\n')
    if (end >= 0) return text.slice(0, end)
  }
  throw new Error('The origin did not start.')
}
