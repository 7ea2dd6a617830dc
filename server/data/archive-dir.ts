import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDirectory, writeDurably } from '../files/durable.ts'
import { readOwnFile } from '../files/own-file.ts'
import { systemCode } from '../files/system-error.ts'
import { type DataDir, PRIVATE_DIRECTORY } from './data-dir.ts'

/** A file of a job: `<job id>.zip`, `.zip.part`, other files of the engine next to them, and discarded files. */
export interface JobFile {
  readonly name: string
  readonly jobId: string
}

/** All files of jobs in the archive directory. Other files there are ignored. */
export function listJobFiles(dir: DataDir): JobFile[] {
  return readdirSync(dir.archives).flatMap((name) => {
    const jobId = JOB_FILE.exec(name)?.[1]
    return jobId === undefined ? [] : [{ name, jobId }]
  })
}

export function isJobFile(name: string): boolean {
  return JOB_FILE.test(name)
}

const JOB_FILE = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.zip(\..+)?$/
const DISCARDED = '.discarded'

/** The id of the database that owns the archive directory, or null when no database has claimed it yet. */
export function readArchiveOwner(dir: DataDir): string | null {
  return readOwnFile(dir.archiveOwner)?.trim() ?? null
}

/** Makes the database the owner of the archive directory. */
export function writeArchiveOwner(dir: DataDir, instanceId: string): void {
  writeDurably(dir.archiveOwner, `${instanceId}\n`)
}

/** Moves an unknown file to the directory `set-aside`, where it stays until a person decides about it. */
export function setAside(dir: DataDir, { name }: JobFile): void {
  mkdirSync(dir.setAside, { recursive: true, mode: PRIVATE_DIRECTORY })
  const path = join(dir.setAside, name)
  renameSync(join(dir.archives, name), existsSync(path) ? `${path}.${crypto.randomUUID()}` : path)
  syncDirectory(dir.setAside)
}

/**
 * Deletes a job's files, finished or not. They are renamed first, so that a retry can create new files at once: deleting a
 * large archive takes seconds on some file systems.
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

/** Deletes a file that an interrupted deletion has left. If the job still needs its files, deletes only a discarded one. */
export async function deleteLeftover(dir: DataDir, file: JobFile, needsFiles: boolean): Promise<void> {
  if (needsFiles && !file.name.endsWith(DISCARDED)) return
  await removeFile(join(dir.archives, file.name))
}

/** Uses `unlink`, because the errors of Bun's `rm` lack the reason. */
async function removeFile(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
}
