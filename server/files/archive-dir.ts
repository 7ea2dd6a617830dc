import { readdirSync, renameSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DataDir } from './data-dir.ts'

/** `<job id>.zip`, `.zip.part`, other files the engine keeps beside them, and what was discarded of them. */
const ARCHIVE_FILE = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.zip(\..+)?$/
const DISCARDED = '.discarded'

/**
 * Deletes a job's files, finished or not. Their names are free at once, so that a retry can begin anew, while
 * the bytes of a large archive go in the background: that takes seconds on some file systems.
 */
export async function discardArchive(dir: DataDir, jobId: string): Promise<void> {
  const discarded: string[] = []
  for (const path of [dir.archive(jobId), `${dir.archive(jobId)}.part`]) {
    const aside = `${path}.${crypto.randomUUID()}${DISCARDED}`
    try {
      renameSync(path, aside)
      discarded.push(aside)
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }
  await Promise.all(discarded.map((path) => rm(path, { force: true })))
}

/** Deletes files in the archive directory whose job is unknown, and discarded ones that a crash left behind. */
export function discardOrphans(dir: DataDir, isKnown: (jobId: string) => boolean): void {
  for (const name of readdirSync(dir.archives)) {
    const jobId = ARCHIVE_FILE.exec(name)?.[1]
    if (jobId === undefined) continue
    if (name.endsWith(DISCARDED) || !isKnown(jobId)) rmSync(join(dir.archives, name), { force: true })
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
