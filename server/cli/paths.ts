import { dataPaths } from '../files/data-dir.ts'
import { readArguments } from './arguments.ts'
import type { Command } from './command.ts'

/** `holdall paths`: where everything lies, a line each, whether it is there yet or not. */
export const paths: Command = (args, around) => {
  const { config } = readArguments(args, around.env)
  const dir = dataPaths(config.data, config.archives)
  const named = {
    data: dir.root,
    database: dir.database,
    archives: dir.archives,
    secrets: dir.signingSecrets,
  }
  for (const [name, path] of Object.entries(named)) around.print(`${name}\t${path}`)
}
