import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { peakMemoryBytes } from './peak-memory.ts'
import { tempDir } from './temp-dir.ts'

export const EXECUTABLE = join(import.meta.dir, '../../dist/holdall')
/** A machine that does much else takes long to start a process. */
const START_DEADLINE_MS = 60_000

export interface HoldallOptions {
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** A command that starts the executable, such as `nice`. The executable and its arguments are appended. */
  readonly under?: readonly string[]
  /** Called before the start, with the empty working directory of the executable. */
  readonly prepare?: (startDir: string) => void
}

/** A running executable. Disposing of it kills it and deletes its directories. */
export interface Holdall extends AsyncDisposable {
  readonly address: string
  readonly pid: number
  readonly dataDir: string
  /** The one-time link that each start prints until the owner has signed in. */
  signInLink(): Promise<string>
  /** Standard output and standard error so far. */
  output(): string
  /** Waits for the process to end. @returns the exit code */
  exited(): Promise<number>
  /** Sends SIGTERM. @returns the exit code */
  stop(): Promise<number>
  /** Sends SIGKILL, and waits for the process to end. */
  kill(): Promise<void>
  /** Stops it, and starts it again with the same data at another port. */
  restart(): Promise<void>
  /** Peak resident memory since the last start. */
  peakMemoryBytes(): number
}

/** Starts `dist/holdall` with an empty working directory and no data. It may fetch from this machine. */
export async function startHoldall(options: HoldallOptions = {}): Promise<Holdall> {
  if (!existsSync(EXECUTABLE)) throw new Error('There is no dist/holdall: run `bun run build` first.')
  using stack = new DisposableStack()
  const startDir = stack.use(tempDir())
  const dataDir = stack.use(tempDir()).file('data')
  options.prepare?.(startDir.path)
  let run = await start(startDir.path, dataDir, options)
  const dirs = stack.move()
  return {
    dataDir,
    get address() {
      return run.address
    },
    get pid() {
      return run.process.pid
    },
    signInLink: () => run.output.line(/^Sign in once, within 30 minutes: (\S+)$/m),
    output: () => run.output.text(),
    exited: () => run.process.exited,
    stop: () => end(run, 'SIGTERM'),
    async kill() {
      await end(run, 'SIGKILL')
    },
    async restart() {
      await end(run, 'SIGTERM')
      run = await start(startDir.path, dataDir, options)
    },
    peakMemoryBytes: () => peakMemoryBytes(run.process.pid) ?? Number.NaN,
    async [Symbol.asyncDispose]() {
      await end(run, 'SIGKILL')
      dirs.dispose()
    },
  }
}

/** Adds a user while the service runs. @returns the printed sign-in link */
export function addUser(holdall: Holdall, name: string, plan: 'pro' | 'free' = 'pro'): string {
  return linkPrintedBy(holdall, ['user', 'add', name, '--plan', plan])
}

/** Creates a sign-in link for the owner while the service runs. */
export function newSignInLink(holdall: Holdall): string {
  return linkPrintedBy(holdall, ['sign-in-link'])
}

function linkPrintedBy({ dataDir }: Holdall, args: readonly string[]): string {
  const { stdout, stderr } = Bun.spawnSync([EXECUTABLE, ...args, '--data', dataDir])
  const link = /\S+#\S+/.exec(stdout.toString())?.[0]
  if (link === undefined) throw new Error(`${args.join(' ')} printed no sign-in link: ${stdout}${stderr}`)
  return link
}

interface Run {
  readonly process: Subprocess
  readonly output: Output
  readonly address: string
}

async function start(
  startDir: string,
  dataDir: string,
  { args = [], env = {}, under = [] }: HoldallOptions,
): Promise<Run> {
  const settings = [
    '--data',
    dataDir,
    '--listen',
    '127.0.0.1:0',
    '--allow-network',
    '127.0.0.0/8',
    '--no-open',
  ]
  const child = Bun.spawn([...under, EXECUTABLE, ...settings, ...args], {
    cwd: startDir,
    env: { PATH: process.env.PATH, HOME: startDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = new Output([child.stdout, child.stderr])
  try {
    const address = await output.line(/^Holdall listens on (http:\S+)$/m)
    return { process: child, output, address }
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

async function end(run: Run, signal: 'SIGTERM' | 'SIGKILL'): Promise<number> {
  run.process.kill(signal)
  await run.output.closed
  return await run.process.exited
}

/** Collects the output of a process, so that a test can wait for a line. */
class Output {
  #text = ''
  #isClosed = false
  #changed = Promise.withResolvers<void>()
  /** Resolves when the process has closed its streams. */
  readonly closed: Promise<void>

  constructor(streams: readonly ReadableStream<Uint8Array>[]) {
    this.closed = Promise.all(streams.map((stream) => this.#collect(stream))).then(() => {
      this.#isClosed = true
      this.#changed.resolve()
    })
  }

  text(): string {
    return this.#text
  }

  /** @returns the first group of the first match */
  async line(pattern: RegExp): Promise<string> {
    const deadline = AbortSignal.timeout(START_DEADLINE_MS)
    const expired = new Promise<void>((resolve) => deadline.addEventListener('abort', () => resolve()))
    for (;;) {
      const found = pattern.exec(this.#text)?.[1]
      if (found !== undefined) return found
      if (this.#isClosed || deadline.aborted) throw new Error(`No line ${pattern} in: ${this.#text}`)
      await Promise.race([this.#changed.promise, expired])
    }
  }

  async #collect(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    for await (const bytes of stream) {
      this.#text += decoder.decode(bytes, { stream: true })
      const changed = this.#changed
      this.#changed = Promise.withResolvers()
      changed.resolve()
    }
  }
}
