import { dataPaths } from '../../data/data-dir.ts'
import { readArchivesDir } from '../../db/read-archives-dir.ts'
import { readArguments } from '../arguments.ts'
import { type Command, CommandError } from '../command.ts'
import { findRunningService } from './running-service.ts'

/** `holdall health`: succeeds when the service that runs on the data directory can work. */
export const health: Command = async (args, context) => {
  const { config } = readArguments(args, context.env)
  const { error, damaged_archives } = (await findRunningService(config)).health
  if (error !== undefined) throw new CommandError(`Holdall cannot work. ${error.message}`)
  context.print('ok')
  if (damaged_archives !== undefined) {
    console.error(`Archives whose files are damaged: ${damaged_archives}. The log names their jobs.`)
  }
}

/** `holdall paths`: one line per path that Holdall writes to, whether it exists yet or not. */
export const paths: Command = async (args, context) => {
  const { config } = readArguments(args, context.env)
  const { database } = dataPaths(config.data)
  const dir = dataPaths(config.data, config.archives ?? readArchivesDir(database))
  const pathsByName = {
    data: dir.root,
    database: dir.database,
    archives: dir.archives,
    secrets: dir.signingSecrets,
    'sealing-key': dir.sealingKey,
    settings: dir.settings,
  }
  for (const [name, path] of Object.entries(pathsByName)) context.print(`${name}\t${path}`)
}
