import { existsSync, readdirSync, rmdirSync, statSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import type { ArchiveStore } from '../archive-store/archive-store.ts'
import type { DataDir } from '../data/data-dir.ts'
import { openInstanceStore } from '../data/instance-store.ts'
import type { Database } from '../db/open.ts'
import { openSigningSecrets } from '../downloads/signing-secrets.ts'
import { StartRefused } from '../errors.ts'
import { renameDurably, writeDurably } from '../files/durable.ts'
import { systemCode } from '../files/system-error.ts'
import { openFileDeletionStore } from '../jobs/deletion-store.ts'
import { openSealing } from '../sites/sealing.ts'
import type { Clock } from '../time/clock.ts'
import { VERSION } from '../version.ts'
import { openDirectoryWriter } from './directory-writer.ts'
import { archiveMember, checksumsOf, MEMBERS } from './members.ts'
import { BACKUP_FORMAT, readBackup } from './read-backup.ts'
import { type Snapshot, takeSnapshot } from './snapshot.ts'
import type { KeptArchive } from './snapshot-store.ts'
import { openStaging, type Staging } from './staging.ts'
import { storedFile } from './stored-file.ts'
import { openTarWriter } from './tar-writer.ts'
import { type BackupWriter, localFile, type SourceFile } from './writer.ts'

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
  /** Archives that are not in the backup, because their files are missing or damaged. */
  readonly damagedArchives: number
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
  await addText(MEMBERS.checksums, checksumsOf(digests))
  return { ...counts, sizeBytes: writer.finish() }
}

/**
 * Adds the archives that the snapshot knows, also those in the archive store: a restored service has them on its disk. One that
 * was deleted meanwhile expires in the snapshot.
 */
async function addArchives(options: BackupOptions, snapshot: Snapshot, add: AddFile) {
  const { isKept } = openFileDeletionStore(options.db)
  let [archives, damagedArchives] = [0, 0]
  for (const archive of snapshot.archives()) {
    const { jobId } = archive
    const source = await sourceOf(archive, options)
    if (source !== null && (await wasAdded(archiveMember(jobId), source, add))) {
      archives += 1
      snapshot.keepLocally(jobId)
    } else if (isKept(jobId)) damagedArchives += 1
    else snapshot.expire(jobId, options.clock())
  }
  return { archives, damagedArchives }
}

/** Null when the archive is missing or has another size. */
async function sourceOf(
  archive: KeptArchive,
  { dir, store, stop }: BackupOptions,
): Promise<SourceFile | null> {
  const { jobId, sizeBytes, objectName } = archive
  if (objectName === null) {
    const path = dir.archive(jobId)
    return statSync(path, { throwIfNoEntry: false })?.size === sizeBytes ? localFile(path, true) : null
  }
  if (store === null) {
    throw new StartRefused(
      'Some archives are in the archive store. Name it with --archive-store, or leave archives out with --exclude-archives.',
    )
  }
  return (await store.sizeBytesOf(objectName, stop)) === sizeBytes
    ? storedFile(store, archive, objectName)
    : null
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
const NO_ARCHIVES = { archives: 0, damagedArchives: 0 }
