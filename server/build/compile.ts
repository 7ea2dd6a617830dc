/**
 * The second step of `bun run build`: compiles server and worker into `dist/holdall`, which also contains the built UI
 * and the migrations.
 *
 * Each folder in `assets` is embedded under its last name. The root of the entrypoints is `server/`, so that the entry file
 * finds `./engine/worker.ts` both in the source tree and in the executable.
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
  // Otherwise, libraries run in development mode.
  define: { 'process.env.NODE_ENV': '"production"' },
  compile: {
    outfile: join(root, 'dist/holdall'),
    assets: [join(root, 'dist/ui'), join(root, 'drizzle/migrations')],
    // Files in the directory that the executable is started from must not change what it does.
    autoloadDotenv: false,
    autoloadBunfig: false,
  },
})
