import { join } from 'node:path'
import type { ProgramFiles } from './app.ts'
import { run } from './cli/run.ts'
import { WorkerPool } from './engine/pool.ts'

// The one place that knows where it runs from: once compiled, every module has the executable's own URL, the
// directories embedded in it lie beside that under their last name, and a worker is found from the entry file alone.
const files: ProgramFiles = Bun.isStandaloneExecutable
  ? {
      migrationsDir: join(import.meta.dir, 'migrations'),
      uiDir: join(import.meta.dir, 'ui'),
      workerUrl: workerUrl(),
    }
  : {
      migrationsDir: join(import.meta.dir, '../drizzle/migrations'),
      uiDir: join(import.meta.dir, '../dist/ui'),
      workerUrl: workerUrl(),
    }

process.exit(
  await run(process.argv.slice(2), {
    env: process.env,
    files,
    stopped: stopSignal(),
    print: (line) => console.log(line),
    openRunner: (config, log) =>
      new WorkerPool({
        workerUrl: files.workerUrl,
        bounds: { total: config.connections, perHost: config.hostConnections },
        log,
      }),
  }),
)

function workerUrl(): URL {
  return new URL('./engine/worker.ts', import.meta.url)
}

/** The first SIGINT or SIGTERM asks to stop, the second one doesn't ask. */
function stopSignal(): AbortSignal {
  const stop = new AbortController()
  for (const [name, number] of [
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
