import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type DataDir, PRIVATE_DIRECTORY } from './data-dir.ts'
import { syncDirectory, writeDurably } from './durable.ts'
import { systemCode } from './system-error.ts'

/** A file of a job: `<job id>.zip`, `.zip.part`, others the engine keeps beside them, and what was discarded of them. */
export interface ArchiveFileName {
  readonly name: string
  readonly jobId: string
}

/** All files of jobs in the archive directory; what else lies there is nobody's business. */
export function archiveFiles(dir: DataDir): ArchiveFileName[] {
  return readdirSync(dir.archives).flatMap((name) => {
    const jobId = ARCHIVE_FILE.exec(name)?.[1]
    return jobId === undefined ? [] : [{ name, jobId }]
  })
}

const ARCHIVE_FILE = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.zip(\..+)?$/
const DISCARDED = '.discarded'

/** The id of the database that owns the archive directory, or null when none has ever claimed it. */
export function archiveOwner(dir: DataDir): string | null {
  return existsSync(dir.archiveOwner) ? readFileSync(dir.archiveOwner, 'utf8').trim() : null
}

/** Makes the archive directory the database's own. */
export function claimArchives(dir: DataDir, instanceId: string): void {
  writeDurably(dir.archiveOwner, `${instanceId}\n`)
}

/** Moves a file out of the way of the service, where it stays until a person has looked at it. */
export function setAside(dir: DataDir, { name }: ArchiveFileName): void {
  mkdirSync(dir.setAside, { recursive: true, mode: PRIVATE_DIRECTORY })
  const path = join(dir.setAside, name)
  renameSync(join(dir.archives, name), existsSync(path) ? `${path}.${crypto.randomUUID()}` : path)
  syncDirectory(dir.setAside)
}

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
      if (systemCode(error) !== 'ENOENT') throw error
    }
  }
  await Promise.all(discarded.map(removeFile))
}

/** Deletes what is left of a discarded job: all of its files, or those that are named discarded if it goes on. */
export async function discardLeft(dir: DataDir, file: ArchiveFileName, goesOn: boolean): Promise<void> {
  if (goesOn && !file.name.endsWith(DISCARDED)) return
  await removeFile(join(dir.archives, file.name))
}

/** Not by `rm`, which takes no notice of a missing file by itself: Bun's says nothing of why a disk refused. */
async function removeFile(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
}
