import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { StoreError } from '../archive-store/store-error.ts'
import { backUp } from '../backup/back-up.ts'
import { restore as restoreBackup } from '../backup/restore.ts'
import { dataPaths, openDataDir } from '../data/data-dir.ts'
import { openDatabase } from '../db/open.ts'
import { openConfiguredStore } from '../downloads/configured-store.ts'
import { refusalOf } from '../files/refusal.ts'
import { systemCode } from '../files/system-error.ts'
import { formatBytes } from '../text/format-bytes.ts'
import { systemClock } from '../time/clock.ts'
import { readArguments } from './arguments.ts'
import { type Command, CommandError, UsageError } from './command.ts'

/** `holdall backup FILE [--exclude-archives]`: the service may run meanwhile. */
export const backup: Command = async (args, { env, files, stopped, print }) => {
  const { positionals, own, config } = readArguments(args, env, {
    switches: ['exclude-archives'],
    positionals: ['FILE'],
  })
  const target = pathOf(positionals)
  const { database } = dataPaths(config.data, config.archives)
  if (!existsSync(database))
    throw new CommandError(`There is no database ${database}. Name its directory with --data.`)
  const dir = openDataDir(config.data, config.archives)
  using db = openDatabase(dir.database, files.migrationsDir)
  const withArchives = own['exclude-archives'] !== 'true'
  const { migrationsDir } = files
  const result = await backUp({
    dir,
    db,
    migrationsDir,
    target,
    withArchives,
    store: withArchives ? openConfiguredStore(config) : null,
    clock: systemClock,
    stop: stopped,
  }).catch((error: unknown) => {
    throw withRemedy(error, stopped, `The backup ${resolve(target)}`, 'Fix that, or name another place.')
  })
  const { archives, sizeBytes, damagedArchives } = result
  print(
    `${resolve(target)}: ${archives} ${archives === 1 ? 'archive' : 'archives'}, ${formatBytes(sizeBytes)}`,
  )
  if (damagedArchives > 0) {
    console.error(`Archives that were left out, because their files are damaged: ${damagedArchives}.`)
  }
}

/** `holdall restore FILE`: to a data directory that is empty or does not exist. */
export const restore: Command = async (args, { env, files, stopped, print }) => {
  const { positionals, config } = readArguments(args, env, { positionals: ['FILE'] })
  const from = pathOf(positionals)
  const dir = dataPaths(config.data, config.archives)
  const { migrationsDir } = files
  await restoreBackup({ from, dir, migrationsDir, stop: stopped }).catch((error: unknown) => {
    throw withRemedy(
      error,
      stopped,
      `The data directory ${dir.root}`,
      'Fix that, or name another with --data.',
    )
  })
  print(dir.root)
}

function pathOf([path = '']: readonly string[]): string {
  if (path === '') throw new UsageError('FILE: expected a path')
  return path
}

/** Names the place that the command writes to, which the errors of the system may not name. */
function withRemedy(error: unknown, stopped: AbortSignal, place: string, remedy: string): unknown {
  if (stopped.aborted) return new CommandError('Stopped. Nothing was changed. Run the same command again.')
  if (error instanceof StoreError) return new CommandError(error.message)
  return OF_TARGET.test(systemCode(error))
    ? new CommandError(`${place} ${refusalOf(error)}. ${remedy}`)
    : error
}

/** Errors of writing. Other errors are those of the data that is read. */
const OF_TARGET =
  /^(?:ENOSPC|EDQUOT|EFBIG|EROFS|EACCES|EPERM|ENOENT|ENOTDIR|EBUSY|SQLITE_(?:FULL|CANTOPEN|READONLY)\w*)$/
