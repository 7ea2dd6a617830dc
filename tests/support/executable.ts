import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { tempDir } from './temp-dir.ts'

const EXECUTABLE = join(import.meta.dir, '../../dist/holdall')
const START_DEADLINE_MS = 30_000

export interface HoldallOptions {
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** A command that it is started by, as `nice` would be: the executable and its arguments follow. */
  readonly under?: readonly string[]
  /** Called with the empty directory that the executable is started in, before it is. */
  readonly prepare?: (startDir: string) => void
}

/** The built program, running as a user would run it; gone with its directories when disposed of. */
export interface Holdall extends AsyncDisposable {
  readonly address: string
  readonly pid: number
  readonly dataDir: string
  /** The one-time link that it prints until the owner has signed in. */
  signInLink(): Promise<string>
  /** What it has written so far, both streams. */
  output(): string
  /** The exit code, once it has ended. */
  exited(): Promise<number>
  /** SIGTERM. @returns the exit code */
  stop(): Promise<number>
  /** SIGKILL, as a crash or a power failure would. */
  kill(): Promise<void>
  /** Starts it again on the same data, at another port. */
  restart(): Promise<void>
  /** The most memory that this run of the process has held at once. */
  peakMemoryBytes(): number
}

/** Boots `dist/holdall` in an empty directory with empty data, open to sources on this machine. */
export async function startHoldall(options: HoldallOptions = {}): Promise<Holdall> {
  if (!existsSync(EXECUTABLE)) throw new Error('There is no dist/holdall: run `bun run build` first.')
  using stack = new DisposableStack()
  const startDir = stack.use(tempDir())
  const dataDir = stack.use(tempDir()).file('data')
  options.prepare?.(startDir.path)
  let run = await boot(startDir.path, dataDir, options)
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
      run = await boot(startDir.path, dataDir, options)
    },
    peakMemoryBytes: () => peakMemoryBytes(run.process.pid),
    async [Symbol.asyncDispose]() {
      await end(run, 'SIGKILL')
      dirs.dispose()
    },
  }
}

/** Adds a user on the Pro plan while the service runs. @returns the sign-in link that is printed */
export function addUser({ dataDir }: Holdall, name: string): string {
  const { stdout, stderr } = Bun.spawnSync([EXECUTABLE, 'user', 'add', name, '--data', dataDir])
  const link = /\S+#\S+/.exec(stdout.toString())?.[0]
  if (link === undefined) throw new Error(`No sign-in link for ${name}: ${stdout}${stderr}`)
  return link
}

/** Makes a one-time link for the owner while the service runs. */
export function newSignInLink({ dataDir }: Holdall): string {
  const { stdout, stderr } = Bun.spawnSync([EXECUTABLE, 'sign-in-link', '--data', dataDir])
  const link = /\S+#\S+/.exec(stdout.toString())?.[0]
  if (link === undefined) throw new Error(`No sign-in link: ${stdout}${stderr}`)
  return link
}

interface Run {
  readonly process: Subprocess
  readonly output: Output
  readonly address: string
}

async function boot(
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
  await run.output.whole
  return await run.process.exited
}

/** VmHWM: the high-water mark of resident memory, in KiB (proc(5)). */
function peakMemoryBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
}

/** Gathers what a process writes, so that a test can wait for a line of it. */
class Output {
  #text = ''
  #isWhole = false
  #changed = Promise.withResolvers<void>()
  /** Resolves when the process has closed its streams. */
  readonly whole: Promise<void>

  constructor(streams: readonly ReadableStream<Uint8Array>[]) {
    this.whole = Promise.all(streams.map((stream) => this.#gather(stream))).then(() => {
      this.#isWhole = true
      this.#changed.resolve()
    })
  }

  text(): string {
    return this.#text
  }

  /** @returns the first group of the first match */
  async line(pattern: RegExp): Promise<string> {
    const deadline = AbortSignal.timeout(START_DEADLINE_MS)
    const lapsed = new Promise<void>((resolve) => deadline.addEventListener('abort', () => resolve()))
    for (;;) {
      const found = pattern.exec(this.#text)?.[1]
      if (found !== undefined) return found
      if (this.#isWhole || deadline.aborted) throw new Error(`No line ${pattern} in: ${this.#text}`)
      await Promise.race([this.#changed.promise, lapsed])
    }
  }

  async #gather(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    for await (const bytes of stream) {
      this.#text += decoder.decode(bytes, { stream: true })
      const changed = this.#changed
      this.#changed = Promise.withResolvers()
      changed.resolve()
    }
  }
}
