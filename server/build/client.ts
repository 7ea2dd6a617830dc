/**
 * The third step of `bun run build`: makes the package's `client` export for programs that are not TypeScript of this
 * repository. `dist/client/client.js` is one file without imports, for browsers and any runtime with `fetch`. Its types are
 * those of the sources.
 */
import { join } from 'node:path'
import { ROOT } from './executable.ts'

const client = join(ROOT, 'server/client')

await Bun.build({
  entrypoints: [join(client, 'client.ts')],
  outdir: join(ROOT, 'dist/client'),
  target: 'browser',
  format: 'esm',
  // Leaves out the comments of the parser of server-sent events.
  minify: { whitespace: true },
})
const compiler = Bun.spawn([process.execPath, join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', client], {
  stdio: ['ignore', 'inherit', 'inherit'],
})
process.exitCode = await compiler.exited
