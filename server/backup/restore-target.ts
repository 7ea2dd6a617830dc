import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { listJobFiles, readArchiveOwner, writeArchiveOwner } from '../data/archive-dir.ts'
import { type DataDir, PRIVATE_DIRECTORY, recordedArchives } from '../data/data-dir.ts'
import { lockFile } from '../data/file-lock.ts'
import { openInstanceStore } from '../data/instance-store.ts'
import { openStaging, type Staging } from '../data/staging.ts'
import { closeAsOneFile } from '../db/close-as-one-file.ts'
import { DatabaseIsNewer } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { reservedSpacePath } from '../db/reserved-space.ts'
import { readUnused } from '../db/unused.ts'
import { StartRefused } from '../errors.ts'
import { renameDurably, syncDirectory } from '../files/durable.ts'
import { archiveNameOf, MEMBERS, type MemberReceiver, type StoredMember } from './formats/members.ts'
import { createFile } from './formats/new-file.ts'

/**
 * A data directory that a backup is restored to. Files are received in a directory that no service starts next to. Disposing
 * deletes what was not moved to its place.
 */
export interface RestoreTarget extends Disposable {
  receive(member: StoredMember): MemberReceiver
  /**
   * Brings the database up to date, and moves everything to its place, the database last. The database then names the archive
   * directory to which archives were restored.
   * @returns whether its service kept them in another place
   * @throws StartRefused when the archive directory belongs to another database, or the database can't be used
   */
  place(migrationsDir: string): boolean
}

/** @throws StartRefused when the data directory contains anything but what a killed restore, or a killed first start, has left */
export function openRestoreTarget(dir: DataDir): RestoreTarget {
  using stack = new DisposableStack()
  stack.use(makeDirectory(dir.root))
  stack.use(assertUnused(dir))
  const replacedId = readUnused(dir.database)?.instanceId ?? null
  const staging = stack.use(openStaging(dir.unfinishedRestore))
  let archiveStaging: Staging | null = null
  const archives: string[] = []

  /** The archive directory may be on another disk, so archives are received in it. */
  function stageArchives(): Staging {
    if (archiveStaging !== null) return archiveStaging
    parts.use(makeDirectory(dir.archives))
    archiveStaging = parts.use(openStaging(dir.unfinishedArchives))
    return archiveStaging
  }

  const parts = stack.move()
  return {
    receive({ name }) {
      const archive = archiveNameOf(name)
      if (archive === null) return createFile(staging.file(name))
      archives.push(archive)
      return createFile(stageArchives().file(archive))
    },
    place(migrationsDir) {
      const archivesIn = archiveStaging === null ? null : dir
      const { instanceId, hasMoved } = updateDatabase(
        staging.file(MEMBERS.database),
        migrationsDir,
        archivesIn,
      )
      if (archiveStaging !== null) assertOwnArchives(dir, [instanceId, replacedId])
      const owner = readArchiveOwner(dir)
      if (archiveStaging !== null || (owner !== null && owner === replacedId))
        writeArchiveOwner(dir, instanceId)
      if (archiveStaging !== null) {
        for (const name of archives) renameSync(archiveStaging.file(name), join(dir.archives, name))
        syncDirectory(dir.archives)
      }
      renameSync(staging.file(MEMBERS.signingSecrets), dir.signingSecrets)
      renameSync(staging.file(MEMBERS.sealingKey), dir.sealingKey)
      renameSync(staging.file(MEMBERS.settings), dir.settings)
      // SQLite would take the log of the database that is replaced for the log of the new one.
      for (const log of logsOf(dir)) rmSync(log, { force: true })
      renameDurably(staging.file(MEMBERS.database), dir.database)
      return hasMoved
    },
    [Symbol.dispose]: () => parts.dispose(),
  }
}

/** Creates a directory if it does not exist. Disposing deletes one that was created and has stayed empty. */
function makeDirectory(path: string): Disposable {
  const isCreated = mkdirSync(path, { recursive: true, mode: PRIVATE_DIRECTORY }) !== undefined
  return {
    [Symbol.dispose]() {
      if (isCreated && readdirSync(path).length === 0) rmdirSync(path)
    },
  }
}

/**
 * Checks that a restore overwrites nothing, and locks the directory if a service has ever begun to use it.
 * @throws StartRefused when it contains other files or real data, or a service runs on it
 */
function assertUnused(dir: DataDir): Disposable {
  const lock = existsSync(dir.serviceLock) ? lockFile(dir.serviceLock) : NO_LOCK
  const names = readdirSync(dir.root).map((name) => join(dir.root, name))
  // Next to an unfinished restore no service starts, so a database there is one that the restore has placed.
  const isUnfinished = names.includes(dir.unfinishedRestore)
  const allowed = [dir.unfinishedRestore, join(dir.root, NEW_DISK), ...filesOfStart(dir)]
  const isUnused = names.every((name) => allowed.includes(name)) && (isUnfinished || hasNoData(dir, names))
  if (!isUnused) {
    lock?.[Symbol.dispose]()
    throw new StartRefused(
      `The data directory ${dir.root} is not empty. Name an empty one with --data, and nothing is overwritten.`,
    )
  }
  if (lock === null) {
    throw new StartRefused(
      `A Holdall runs on the data directory ${dir.root}. Stop it, or name an empty directory with --data.`,
    )
  }
  return lock
}

const NO_LOCK: Disposable = { [Symbol.dispose]() {} }

/** All that a service creates which nobody has used. A kill may leave any of it. */
function filesOfStart(dir: DataDir): string[] {
  const {
    serviceLock,
    database,
    signingSecrets,
    sealingKey,
    settings,
    settingsCode,
    serviceOrigin,
    archives,
  } = dir
  const written = [signingSecrets, sealingKey, settings, settingsCode, serviceOrigin].flatMap((path) => [
    path,
    `${path}.new`,
  ])
  return [serviceLock, database, reservedSpacePath(database), ...logsOf(dir), ...written, archives]
}

function logsOf({ database }: DataDir): string[] {
  return ['-wal', '-shm', '-journal'].map((end) => database + end)
}

/** Whether neither a job nor a key nor another user is lost with the database. */
function hasNoData(dir: DataDir, names: readonly string[]): boolean {
  if (names.includes(dir.archives) && listJobFiles(dir).length > 0) return false
  return readUnused(dir.database) !== null
}

/**
 * An archive that the restore replaces is the same archive, since its database is the same.
 * @param ids of the restored database, and of the one that it replaces
 */
function assertOwnArchives(dir: DataDir, ids: readonly (string | null)[]): void {
  const owner = readArchiveOwner(dir)
  const isEmpty = listJobFiles(dir).length === 0
  if (owner === ids[0] || (isEmpty && ids.includes(owner)) || (isEmpty && owner === null)) return
  throw new StartRefused(
    `The archive directory ${dir.archives} belongs to another database. Name an empty one with --archives.`,
  )
}

/**
 * @param archivesIn where archives were restored to; null when there were none
 * @returns the id of the database, and whether it named another archive directory
 */
function updateDatabase(path: string, migrationsDir: string, archivesIn: DataDir | null) {
  try {
    const db = openDatabase(path, migrationsDir)
    const instance = openInstanceStore(db)
    const last = instance.archivesDir()
    if (archivesIn !== null) instance.setArchivesDir(recordedArchives(archivesIn))
    const ids = { instanceId: instance.id(), hasMoved: instance.archivesDir() !== last }
    closeAsOneFile(db)
    return ids
  } catch (error) {
    if (!(error instanceof DatabaseIsNewer)) throw error
    throw new StartRefused('A newer Holdall has made this backup. Restore it with that version.')
  }
}

/** Every new disk with ext4 contains this directory. */
const NEW_DISK = 'lost+found'
