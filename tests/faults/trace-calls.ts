import { readdirSync, readFileSync } from 'node:fs'
import { tempDir } from '../support/temp-dir.ts'

/** The threads of the service that change files: the database, the archives, and what is left to others to wait for. */
export type Role = 'main' | 'worker' | 'pool'

/** What happens at a call: the process is killed before it, or the system refuses it once. */
export type Fault = 'KILL' | 'ENOSPC' | 'EIO'

/** The calls by which threads of one role change files, watched from outside (strace). */
export interface CallTrace extends AsyncDisposable {
  /** How many there were so far. */
  count(): number
  /** Whether the system has refused one of them. */
  wasRefused(): boolean
  /** The last calls, for a person. */
  tail(): string
}

/**
 * Watches a process from now on, until disposed of. With a fault, it happens at call number `atCall` of a thread, from
 * 1. The program knows nothing of it.
 */
export async function traceCalls(
  pid: number,
  role: Role,
  fault: { readonly kind: Fault; readonly atCall: number } | null,
): Promise<CallTrace> {
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
      `trace=${CALLS}`,
      ...injection(fault),
      ...threads.flatMap((id) => ['-p', id]),
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  await untilAttached(child.stderr, threads.length)
  const text = () => readFileSync(log, 'utf8')
  return {
    count: () => text().match(CALL)?.length ?? 0,
    wasRefused: () => /\(INJECTED\)/.test(text()),
    tail: () => text().split('\n').slice(-6).join('\n'),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await child.exited
      dir[Symbol.dispose]()
    },
  }
}

/** All by which Bun and SQLite change files that are open or named; not `write`, which is what they wake threads by. */
const CALLS =
  'pwrite64,pwritev,pwritev2,fsync,fdatasync,ftruncate,fallocate,rename,renameat,renameat2,unlink,unlinkat,link,linkat'

/** Each call once: of one that was interrupted by another thread's, the second line says `resumed`. */
const CALL = /^(\d+ +)?\w+\(/gm

function injection(fault: Parameters<typeof traceCalls>[2]): string[] {
  if (fault === null) return []
  const what = fault.kind === 'KILL' ? 'signal=KILL' : `error=${fault.kind}`
  return ['-e', `inject=${CALLS}:${what}:when=${fault.atCall}`]
}

/** By their names, which Bun gives them; the main thread's is that of the program. */
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
  throw new Error(`strace could not watch the service: ${text}`)
}
