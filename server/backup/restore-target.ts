import { mkdirSync, readdirSync, renameSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { listJobFiles, readArchiveOwner, writeArchiveOwner } from '../data/archive-dir.ts'
import { type DataDir, PRIVATE_DIRECTORY } from '../data/data-dir.ts'
import { closeAsOneFile } from '../db/close-as-one-file.ts'
import { instanceIdOf } from '../db/instance-id.ts'
import { DatabaseIsNewer } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { StartRefused } from '../errors.ts'
import { renameDurably, syncDirectory } from '../files/durable.ts'
import { archiveNameOf, MEMBERS, type MemberReceiver, type StoredMember } from './members.ts'
import { createFile } from './new-file.ts'
import { openStaging, type Staging } from './staging.ts'

/**
 * A data directory that a backup is restored to. Files are received in a directory that no service starts next to. Disposing
 * deletes what was not moved to its place.
 */
export interface RestoreTarget extends Disposable {
  receive(member: StoredMember): MemberReceiver
  /**
   * Brings the database up to date, and moves everything to its place, the database last.
   * @throws StartRefused when the archive directory belongs to another database, or the database can't be used
   */
  place(migrationsDir: string): void
}

/** @throws StartRefused when the data directory contains anything but what a killed restore has left */
export function openRestoreTarget(dir: DataDir): RestoreTarget {
  using stack = new DisposableStack()
  stack.use(makeDirectory(dir.root))
  assertUnused(dir)
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
      const instanceId = updateDatabase(staging.file(MEMBERS.database), migrationsDir)
      if (archiveStaging !== null) {
        assertOwnArchives(dir, instanceId)
        writeArchiveOwner(dir, instanceId)
        for (const name of archives) renameSync(archiveStaging.file(name), join(dir.archives, name))
        syncDirectory(dir.archives)
      }
      renameSync(staging.file(MEMBERS.signingSecrets), dir.signingSecrets)
      renameDurably(staging.file(MEMBERS.database), dir.database)
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

function assertUnused(dir: DataDir): void {
  const names = readdirSync(dir.root).map((name) => join(dir.root, name))
  const isUnfinished = names.includes(dir.unfinishedRestore)
  const allowed = isUnfinished
    ? [dir.unfinishedRestore, dir.database, dir.signingSecrets, dir.archives]
    : [join(dir.root, NEW_DISK)]
  if (names.every((name) => allowed.includes(name))) return
  throw new StartRefused(
    `The data directory ${dir.root} is not empty. Name an empty one with --data, and nothing is overwritten.`,
  )
}

/** An archive that the restore replaces is the same archive, since its database is the same. */
function assertOwnArchives(dir: DataDir, instanceId: string): void {
  const owner = readArchiveOwner(dir)
  if (owner === instanceId || (owner === null && listJobFiles(dir).length === 0)) return
  throw new StartRefused(
    `The archive directory ${dir.archives} belongs to another database. Name an empty one with --archives.`,
  )
}

/** @returns the id of the database */
function updateDatabase(path: string, migrationsDir: string): string {
  try {
    const db = openDatabase(path, migrationsDir)
    const instanceId = instanceIdOf(db)
    closeAsOneFile(db)
    return instanceId
  } catch (error) {
    if (!(error instanceof DatabaseIsNewer)) throw error
    throw new StartRefused('A newer Holdall has made this backup. Restore it with that version.')
  }
}

/** Every new disk with ext4 contains this directory. */
const NEW_DISK = 'lost+found'
