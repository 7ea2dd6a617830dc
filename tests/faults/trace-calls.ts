import { readdirSync, readFileSync } from 'node:fs'
import { tempDir } from '../support/temp-dir.ts'
import { callsOf, type Fault, FILE_CALLS, type FileCall, injection } from './file-calls.ts'

/** The threads of the service that change files: the main thread, workers, and the pool for asynchronous file calls. */
export type Role = 'main' | 'worker' | 'pool'

/** The calls by which the threads of a role change files, traced from outside the program (strace). */
export interface CallTrace extends AsyncDisposable {
  /** The calls so far. */
  calls(): readonly FileCall[]
  /** Whether the system has refused one of them. */
  wasRefused(): boolean
}

/** Traces a process until disposed of, and injects the fault. */
export async function traceCalls(pid: number, role: Role, fault: Fault | null): Promise<CallTrace> {
  const dir = tempDir()
  const log = dir.file('calls')
  const threads = threadsOf(pid, role)
  const child = Bun.spawn(
    [
      'strace',
      '-o',
      log,
      '-y',
      '-s',
      '0',
      '-e',
      `trace=${FILE_CALLS}`,
      ...injection(fault),
      ...threads.flatMap((id) => ['-p', id]),
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  await untilAttached(child.stderr, threads.length)
  const text = () => readFileSync(log, 'utf8')
  return {
    calls: () => callsOf(text()),
    wasRefused: () => /\(INJECTED\)/.test(text()),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await child.exited
      dir[Symbol.dispose]()
    },
  }
}

/** Finds threads by the names that Bun gives them. */
function threadsOf(pid: number, role: Role): string[] {
  if (role === 'main') return [String(pid)]
  const name = { worker: /^Worker/, pool: /^Bun Pool/ }[role]
  const found = readdirSync(`/proc/${pid}/task`).filter((id) =>
    name.test(readFileSync(`/proc/${pid}/task/${id}/comm`, 'utf8')),
  )
  if (found.length === 0) throw new Error(`There is no thread of the role ${role}.`)
  return found
}

async function untilAttached(stderr: ReadableStream<Uint8Array>, threads: number): Promise<void> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of stderr.values({ preventCancel: true })) {
    text += decoder.decode(bytes, { stream: true })
    if ((text.match(/attached/g)?.length ?? 0) >= threads) return
  }
  throw new Error(`strace could not trace the service: ${text}`)
}
