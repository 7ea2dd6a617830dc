/** The second step of `bun run build`: makes `dist/holdall`. */
import { join } from 'node:path'
import { buildExecutable, ROOT } from './executable.ts'

await buildExecutable(join(ROOT, 'dist/holdall'))
