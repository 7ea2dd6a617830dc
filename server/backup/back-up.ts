// server/decisions/backup.md says what a backup contains, and why.

import { existsSync, readdirSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import type { ArchiveStore } from '../archive-store/archive-store.ts'
import { readArchiveOwner } from '../data/archive-dir.ts'
import type { DataDir } from '../data/data-dir.ts'
import { openInstanceStore } from '../data/instance-store.ts'
import { openStaging, removeAbandoned, type Staging } from '../data/staging.ts'
import type { Database } from '../db/open.ts'
import { openSigningSecrets } from '../downloads/signing-secrets.ts'
import { StartRefused } from '../errors.ts'
import { renameDurably, writeDurably } from '../files/durable.ts'
import { readOwnFile } from '../files/own-file.ts'
import { systemCode } from '../files/system-error.ts'
import { openFileDeletionStore } from '../jobs/deletion/deletion-store.ts'
import { EMPTY_SETTINGS_FILE } from '../settings/settings-file.ts'
import { openSealing } from '../sites/sealing.ts'
import type { Clock } from '../time/clock.ts'
import { VERSION } from '../version.ts'
import { openDirectoryWriter } from './formats/directory-writer.ts'
import { archiveMember, checksumsOf, MEMBERS } from './formats/members.ts'
import { openTarWriter } from './formats/tar-writer.ts'
import { type BackupWriter, localFile, type SourceFile } from './formats/writer.ts'
import { BACKUP_FORMAT, readBackup } from './read-backup.ts'
import { type Snapshot, takeSnapshot } from './snapshot.ts'
import type { KeptArchive } from './snapshot-store.ts'
import { storedFile } from './stored-file.ts'

export interface BackupOptions {
  readonly dir: DataDir
  readonly db: Database
  readonly migrationsDir: string
  /** A directory if it exists or ends with a slash, else one file. */
  readonly target: string
  readonly withArchives: boolean
  /** The archive store of the settings; null when they name none. */
  readonly store: ArchiveStore | null
  readonly clock: Clock
  readonly stop: AbortSignal
}

export interface BackupResult {
  readonly sizeBytes: number
  readonly archives: number
  /** Archives that have not expired, and are not in the backup. */
  readonly leftOut: readonly LeftOutArchive[]
}

/** An archive that has no whole file. */
export interface LeftOutArchive {
  readonly jobId: string
  readonly filename: string
  readonly isMissing: boolean
}

/**
 * Backs up the database, its keys and the finished archives, while the service may run. Everything is written to
 * `TARGET.part`, read back and checked, and then renamed. So a backup that exists is whole. What an interrupted backup has
 * left is deleted by the next one.
 * @throws StartRefused when the target can't be used; the reason of `stop` when it is aborted; errors of the system
 */
export async function backUp(options: BackupOptions): Promise<BackupResult> {
  const { db, target, stop, clock } = options
  const path = resolve(target)
  removeAbandonedBackups(dirname(path))
  // Before the target is checked: this deletes what a killed backup has left, even if that was a whole directory.
  using staging = openStaging(`${path}.part`)
  const isDirectory = isDirectoryTarget(target)
  const unfinished = staging.file(isDirectory ? 'backup' : 'backup.tar')
  const written = await write(options, staging, isDirectory ? openDirectoryWriter : openTarWriter, unfinished)
  await readBackup(unfinished, () => null, stop)
  if (isDirectory && existsSync(path)) rmdirSync(path)
  renameDurably(unfinished, path)
  openInstanceStore(db).setLastBackup({ at: clock(), sizeBytes: written.sizeBytes })
  return written
}

/** Backups often have a date in their name, so that no later command has the name of one that was killed. */
function removeAbandonedBackups(directory: string): void {
  for (const name of namesIn(directory)) {
    if (name.endsWith('.part')) removeAbandoned(join(directory, name), (file) => STAGED.test(file))
  }
}

/** None where it can't be listed: whether a backup can be written there shows when it is. */
function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

/** What `write` puts into the staging directory. SQLite adds its own files to the database. */
const STAGED =
  /^(?:backup|backup\.tar|backup\.json|settings\.json|SHA256SUMS|holdall\.db(?:-wal|-shm|-journal)?)(?:\.new)?$/

/** @throws StartRefused when something is there that a backup must not replace */
function isDirectoryTarget(target: string): boolean {
  const found = statSync(target, { throwIfNoEntry: false })
  if (found?.isDirectory() && readdirSync(target).length > 0) {
    throw new StartRefused(`${target} is not empty. Name a new directory, or a file, for the backup.`)
  }
  if (found !== undefined && !found.isDirectory() && !found.isFile()) {
    throw new StartRefused(`${target} is not a file. Name another place for the backup.`)
  }
  return found?.isDirectory() || target.endsWith('/') || target.endsWith(sep)
}

/** Writes the whole backup to `unfinished`. */
async function write(options: BackupOptions, staging: Staging, openWriter: OpenWriter, unfinished: string) {
  const { dir, db, clock, stop } = options
  const startedAt = clock()
  // These create the secrets if the service has never run, and refuse unreadable ones.
  openSigningSecrets(dir.signingSecrets)
  openSealing(dir.sealingKey)
  using snapshot = takeSnapshot(db, staging.file(MEMBERS.database), options.migrationsDir, startedAt)
  using writer = openWriter(unfinished)
  const digests = new Map<string, string>()
  const add: AddFile = async (name, source) => {
    digests.set(name, await writer.add(name, source, stop))
  }
  const addText = async (name: string, text: string) => {
    writeDurably(staging.file(name), text)
    await add(name, localFile(staging.file(name)))
  }
  await addText(MEMBERS.description, describe(startedAt))
  const counts = options.withArchives ? await addArchives(options, snapshot, add) : NO_ARCHIVES
  snapshot.finish()
  await add(MEMBERS.database, localFile(staging.file(MEMBERS.database)))
  await add(MEMBERS.signingSecrets, localFile(dir.signingSecrets))
  await add(MEMBERS.sealingKey, localFile(dir.sealingKey))
  await addText(MEMBERS.settings, readOwnFile(dir.settings) ?? EMPTY_SETTINGS_FILE)
  await addText(MEMBERS.checksums, checksumsOf(digests))
  return { ...counts, sizeBytes: writer.finish() }
}

/**
 * Adds the archives that the snapshot knows, also those in the archive store: a restored service has them on its disk. One that
 * was deleted meanwhile expires in the snapshot.
 */
async function addArchives(options: BackupOptions, snapshot: Snapshot, add: AddFile) {
  const { isKept } = openFileDeletionStore(options.db)
  const kept = snapshot.archives()
  if (kept.some(({ objectName }) => objectName === null)) assertOwnArchives(options)
  const leftOut: LeftOutArchive[] = []
  let archives = 0
  for (const archive of kept) {
    const { jobId, filename } = archive
    const source = await sourceOf(archive, options)
    if (typeof source !== 'string' && (await wasAdded(archiveMember(jobId), source, add))) {
      archives += 1
      snapshot.keepLocally(jobId)
    } else if (isKept(jobId)) leftOut.push({ jobId, filename, isMissing: source !== 'damaged' })
    else snapshot.expire(jobId, options.clock())
  }
  return { archives, leftOut }
}

/** A disk that is not mounted, or another directory, must not look like archives that are gone. */
function assertOwnArchives({ dir, db }: BackupOptions): void {
  if (readArchiveOwner(dir) === openInstanceStore(db).id()) return
  throw new StartRefused(
    `${dir.archives} is not the archive directory of this database. Mount its disk, or name it with --archives, or leave archives out with --exclude-archives.`,
  )
}

async function sourceOf(
  archive: KeptArchive,
  { dir, store, stop }: BackupOptions,
): Promise<SourceFile | 'missing' | 'damaged'> {
  const { jobId, sizeBytes, objectName } = archive
  if (objectName === null) {
    const path = dir.archive(jobId)
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) return 'missing'
    return found.size === sizeBytes ? localFile(path, true) : 'damaged'
  }
  if (store === null) {
    throw new StartRefused(
      'Some archives are in the archive store. Name it with --archive-store, or leave archives out with --exclude-archives.',
    )
  }
  const foundBytes = await store.sizeBytesOf(objectName, stop)
  if (foundBytes === null) return 'missing'
  return foundBytes === sizeBytes ? storedFile(store, archive, objectName) : 'damaged'
}

/** False when the file does not exist. */
async function wasAdded(name: string, source: SourceFile, add: AddFile): Promise<boolean> {
  try {
    await add(name, source)
    return true
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false
    throw error
  }
}

function describe(startedAt: number): string {
  const created_at = new Date(startedAt).toISOString()
  return `${JSON.stringify({ format: BACKUP_FORMAT, version: VERSION, created_at })}\n`
}

type OpenWriter = (path: string) => BackupWriter
type AddFile = (name: string, source: SourceFile) => Promise<void>
const NO_ARCHIVES = { archives: 0, leftOut: [] }
