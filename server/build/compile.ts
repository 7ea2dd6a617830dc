/**
 * `bun run build`, second half: compiles server and worker into `dist/holdall`, with the built UI and the
 * migrations inside.
 *
 * Each folder of `assets` is embedded under its last name. The root of the entrypoints is `server/`, so that
 * `./engine/worker.ts` resolves from the entry file alike in the source tree and in the executable.
 */
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')

await Bun.build({
  entrypoints: [join(root, 'server/main.ts'), join(root, 'server/engine/worker.ts')],
  root: join(root, 'server'),
  target: 'bun',
  format: 'esm',
  minify: true,
  bytecode: true,
  // Else libraries find themselves in development.
  define: { 'process.env.NODE_ENV': '"production"' },
  compile: {
    outfile: join(root, 'dist/holdall'),
    assets: [join(root, 'dist/ui'), join(root, 'drizzle/migrations')],
    // The directory that the executable is started in is not ours: nothing in it may change what it does.
    autoloadDotenv: false,
    autoloadBunfig: false,
  },
})
