import { resolve } from 'node:path'
import { StoreError } from '../../archive-store/store-error.ts'
import { backUp, type LeftOutArchive } from '../../backup/back-up.ts'
import { restore as restoreBackup } from '../../backup/restore.ts'
import { dataPaths } from '../../data/data-dir.ts'
import { openConfiguredStore } from '../../downloads/configured-store.ts'
import { refusalOf } from '../../files/refusal.ts'
import { systemCode } from '../../files/system-error.ts'
import { formatBytes } from '../../text/format-bytes.ts'
import { printable } from '../../text/printable.ts'
import { systemClock } from '../../time/clock.ts'
import { readArguments } from '../arguments.ts'
import { type Command, CommandError, UsageError } from '../command.ts'
import { shellCommand } from '../shell-command.ts'
import { openUsedData } from './used-data.ts'

/** `holdall backup FILE [--exclude-archives]`: the service may run meanwhile. */
export const backup: Command = async (args, { env, files, stopped, print }) => {
  const { positionals, own, config } = readArguments(args, env, {
    switches: ['exclude-archives'],
    positionals: ['FILE'],
  })
  const target = pathOf(positionals)
  const { migrationsDir } = files
  using data = openUsedData(config, migrationsDir)
  const withArchives = own['exclude-archives'] !== 'true'
  const result = await backUp({
    dir: data.dir,
    db: data.db,
    migrationsDir,
    target,
    withArchives,
    store: withArchives ? openConfiguredStore(config) : null,
    clock: systemClock,
    stop: stopped,
  }).catch((error: unknown) => {
    throw withRemedy(error, stopped, `The backup ${resolve(target)}`, 'Fix that, or name another place.')
  })
  const { archives, sizeBytes, leftOut } = result
  print(
    `${resolve(target)}: ${archives} ${archives === 1 ? 'archive' : 'archives'}, ${formatBytes(sizeBytes)}`,
  )
  if (leftOut.length > 0) throw withoutArchives(leftOut)
}

/** Says which archives are not in the backup. */
function withoutArchives(leftOut: readonly LeftOutArchive[]): CommandError {
  for (const { jobId, filename, isMissing } of leftOut.slice(0, LISTED_ARCHIVES)) {
    console.error(`${printable(filename)} of job ${jobId}: the file is ${isMissing ? 'missing' : 'damaged'}`)
  }
  if (leftOut.length > LISTED_ARCHIVES) console.error(`... and ${leftOut.length - LISTED_ARCHIVES} more`)
  const missing = leftOut.filter(({ isMissing }) => isMissing).length
  return new CommandError(
    `The backup has all but these archives: ${missing} missing, ${leftOut.length - missing} damaged. Bring their files back, or delete their jobs, and back up again.`,
  )
}

const LISTED_ARCHIVES = 20

/** `holdall restore FILE`: to a data directory that is empty or does not exist. */
export const restore: Command = async (args, { env, files, stopped, print }) => {
  const { positionals, config } = readArguments(args, env, { positionals: ['FILE'] })
  const from = pathOf(positionals)
  const dir = dataPaths(config.data, config.archives)
  const { migrationsDir } = files
  const haveMoved = await restoreBackup({ from, dir, migrationsDir, stop: stopped }).catch(
    (error: unknown) => {
      throw withRemedy(
        error,
        stopped,
        `The data directory ${dir.root}`,
        'Fix that, or name another with --data.',
      )
    },
  )
  print(dir.root)
  if (haveMoved) {
    const start =
      config.archives === null ? 'without --archives' : `with --archives ${shellCommand([dir.archives])}`
    console.error(`The archives are in ${dir.archives} now: start Holdall ${start}.`)
  }
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
