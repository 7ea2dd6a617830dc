import { peakMemoryBytes } from '../support/peak-memory.ts'

/** The measured run of a command. */
export interface CommandRun {
  /** From before its start to after its end. */
  readonly wallMs: number
  /** Null unless it was requested, and on systems other than Linux. */
  readonly peakBytes: number | null
  readonly stdout: string
}

export interface CommandOptions {
  /** Its working directory and home directory. */
  readonly cwd: string
  readonly signal: AbortSignal
  readonly env?: Readonly<Record<string, string>>
  /** Whether to measure its memory. Not for many simultaneous commands, because each measurement takes CPU time. */
  readonly watchesMemory?: boolean
}

/**
 * Runs a command to its end. Its environment has only PATH.
 * @throws if it fails, takes too long, or `signal` aborts. It is killed then.
 */
export async function runCommand(command: readonly string[], options: CommandOptions): Promise<CommandRun> {
  const { cwd, signal, env = {}, watchesMemory = false } = options
  signal.throwIfAborted()
  const timeout = AbortSignal.timeout(COMMAND_TIMEOUT_MS)
  const startedMs = performance.now()
  const child = Bun.spawn([...command], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: AbortSignal.any([signal, timeout]),
    killSignal: 'SIGKILL',
  })
  let peakBytes: number | null = null
  const look = () => {
    peakBytes = peakMemoryBytes(child.pid) ?? peakBytes
  }
  const sampler = watchesMemory ? setInterval(look, SAMPLE_INTERVAL_MS) : undefined
  const [exitCode, stdout, stderr] = await Promise.all([
    child.exited,
    child.stdout.text(),
    child.stderr.text(),
  ]).finally(() => clearInterval(sampler))
  const wallMs = performance.now() - startedMs
  signal.throwIfAborted()
  if (timeout.aborted) throw new Error(`${command[0]} took more than ${COMMAND_TIMEOUT_MS / 60_000} minutes.`)
  if (exitCode !== 0) throw new Error(`${command[0]} ended with ${exitCode}: ${stderr.slice(-500).trim()}`)
  return { wallMs, peakBytes, stdout }
}

/** Ten times the time of the slowest command on two cores. */
const COMMAND_TIMEOUT_MS = 10 * 60_000
/**
 * The kernel keeps the peak. The maximum that `wait4` returns is of no use: it includes the process that started the
 * command.
 */
const SAMPLE_INTERVAL_MS = 10
