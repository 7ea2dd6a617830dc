import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../support/temp-dir.ts'
import { callsOf, FILE_CALLS, type FileCall, injection } from './file-calls.ts'

/** The end of a command that was traced from its start. */
export interface WatchedCommand {
  /** Null when it was killed. */
  readonly exitCode: number | null
  /** The calls by which it changed files. */
  readonly calls: readonly FileCall[]
}

/**
 * Runs the executable, and kills it before a call by which it changes a file; null only counts the calls.
 * @param endsAt what a service writes when it is told to stop
 */
export async function runKilled(
  args: readonly string[],
  killAt: FileCall | null,
  endsAt: RegExp | null = null,
): Promise<WatchedCommand> {
  using dir = tempDir()
  const log = dir.file('calls')
  // Files that are not written at a position are written by the call by which threads wake each other, too.
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
  for await (const bytes of child.stdout.pipeThrough(new TextDecoderStream())) {
    output += bytes
    if (endsAt?.test(output)) process.kill(tracedBy(child.pid), 'SIGTERM')
  }
  await child.exited
  return { exitCode: child.exitCode, calls: callsOf(readFileSync(log, 'utf8')) }
}

/** strace runs the command as its only child, and would leave it alone if it were ended itself. */
function tracedBy(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim())
}

const EXECUTABLE = join(import.meta.dir, '../../dist/holdall')
