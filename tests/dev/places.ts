import { join } from 'node:path'

export const ROOT = join(import.meta.dir, '../..')
/** The data of `bun run dev`, and of `bun run seed`. */
export const DATA_DIR = join(ROOT, 'dist/data')
/** Where `bun run dev` serves the sources of the archives that `bun run seed` made, so that they can be continued. */
export const SOURCES_PORT = 8421
