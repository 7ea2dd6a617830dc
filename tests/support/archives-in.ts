import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The names in the archive directory of a data directory, except the files that mark and lock it. */
export function archivesIn(dataDir: string): string[] {
  return readdirSync(join(dataDir, 'archives'))
    .filter((name) => !name.startsWith('holdall-'))
    .sort()
}
