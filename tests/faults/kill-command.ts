import { readFileSync } from 'node:fs'
import { EXECUTABLE } from '../support/executable.ts'
import { tempDir } from '../support/temp-dir.ts'
import { callsOf, FILE_CALLS, type FileCall, injection } from './file-calls.ts'

/** The result of a command that was traced from its start. */
export interface TracedCommand {
  /** Null when it was killed. */
  readonly exitCode: number | null
  /** The calls by which it changed files. */
  readonly calls: readonly FileCall[]
}

/**
 * Runs the executable, and kills it just before a call that changes a file. With null, it only records the calls.
 * @param stopAt output of a service at which it gets SIGTERM
 */
export async function runKilled(
  args: readonly string[],
  killAt: FileCall | null,
  stopAt: RegExp | null = null,
): Promise<TracedCommand> {
  using dir = tempDir()
  const log = dir.file('calls')
  // Includes `write`, which appends to files, although threads also use it to wake each other.
  const calls = `${FILE_CALLS},write`
  const fault = killAt === null ? null : ({ kind: 'KILL', at: killAt } as const)
  const strace = [
    'strace',
    '-f',
    '--seccomp-bpf',
    '-o',
    log,
    '-s',
    '0',
    '-e',
    `trace=${calls}`,
    ...injection(fault),
  ]
  const child = Bun.spawn([...strace, EXECUTABLE, ...args], {
    cwd: dir.path,
    env: { PATH: process.env.PATH, HOME: dir.path },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  let isStopping = false
  for await (const bytes of child.stdout.pipeThrough(new TextDecoderStream())) {
    output += bytes
    // Once only: a second signal ends a service at once.
    if (isStopping || !stopAt?.test(output)) continue
    isStopping = true
    process.kill(tracedBy(child.pid), 'SIGTERM')
  }
  await child.exited
  return { exitCode: child.exitCode, calls: callsOf(readFileSync(log, 'utf8')) }
}

/** The process that strace traces, its only child. A signal to strace itself would not end it. */
function tracedBy(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim())
}
