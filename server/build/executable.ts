import { join } from 'node:path'

export const ROOT = join(import.meta.dir, '../..')

/** The runtime of another system, from `runtimes/`. Without one, the executable is for the runtime that builds it. */
export interface Runtime {
  readonly target: Bun.Build.CompileTarget
  /** The path of its executable. */
  readonly path: string
}

/**
 * Compiles server and worker into one executable, which also contains the built UI and the migrations.
 *
 * Each folder in `assets` is embedded under its last name. The root of the entrypoints is `server/`, so that the entry file
 * finds `./engine/threads/worker.ts` both in the source tree and in the executable.
 */
export async function buildExecutable(outfile: string, runtime?: Runtime): Promise<void> {
  await Bun.build({
    entrypoints: [
      join(ROOT, 'server/main.ts'),
      join(ROOT, 'server/engine/threads/worker.ts'),
      join(ROOT, 'server/archive/verifying/worker.ts'),
    ],
    root: join(ROOT, 'server'),
    target: 'bun',
    format: 'esm',
    minify: true,
    bytecode: true,
    // Each command loads only the modules that it needs: otherwise, the shortest one takes three times as long.
    splitting: true,
    // Otherwise, libraries run in development mode.
    define: { 'process.env.NODE_ENV': '"production"' },
    compile: {
      outfile,
      ...(runtime === undefined ? {} : { target: runtime.target, executablePath: runtime.path }),
      assets: [join(ROOT, 'dist/ui'), join(ROOT, 'drizzle/migrations')],
      // Files in the directory that the executable is started from must not change what it does.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
  })
}
