import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** What lies in the archive directory of a data directory, but for what says whose it is. */
export function archivesIn(dataDir: string): string[] {
  return readdirSync(join(dataDir, 'archives'))
    .filter((name) => !name.startsWith('holdall-'))
    .sort()
}
