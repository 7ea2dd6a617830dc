import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProgramFiles } from './app.ts'
import { isLong, run } from './cli/run.ts'
import { restartInOwnEnvironment } from './cli/runtime-options.ts'

// Only this file knows whether the program is compiled. In the executable, every module has the executable's own URL,
// embedded directories are next to it under their last name, and only the entry file can resolve the URL of the worker.
const [migrations, ui] = Bun.isStandaloneExecutable
  ? ['migrations', 'ui']
  : ['../drizzle/migrations', '../dist/ui']
const files: ProgramFiles = {
  migrationsDir: join(import.meta.dir, migrations),
  uiDir: join(import.meta.dir, ui),
  workerUrl: new URL('./engine/threads/worker.ts', import.meta.url),
}

const args = process.argv.slice(2)
if (Bun.isStandaloneExecutable) restartInOwnEnvironment(args, isLong(args))

process.exit(
  await run(args, {
    env: process.env,
    files,
    program: Bun.isStandaloneExecutable ? [process.execPath] : [process.execPath, import.meta.path],
    stopped: stopSignal(),
    print: (line) => console.log(line),
  }),
)

/** Aborted by the first SIGINT, SIGTERM or SIGHUP (a terminal that was closed). A second one ends the process at once. */
function stopSignal(): AbortSignal {
  const stop = new AbortController()
  for (const [name, number] of [
    ...(ignoresHangUp() ? [] : [['SIGHUP', 1] as const]),
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ] as const) {
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(128 + number)
      stop.abort()
    })
  }
  return stop.signal
}

/** Whether the process was started to outlive its terminal, as by nohup(1): then a handler must not replace that (proc(5)). */
function ignoresHangUp(): boolean {
  try {
    const [, mask = '0'] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    return (BigInt(`0x${mask}`) & 1n) === 1n
  } catch {
    // Only Linux has that file.
    return false
  }
}
