import { VERSION } from '../version.ts'
import { type Command, UsageError } from './command.ts'

/** `holdall version`: prints the version and nothing else. Reads no settings, so that it works even if one is wrong. */
export const version: Command = async ([argument], { print }) => {
  if (argument !== undefined) throw new UsageError(`Unexpected argument ${argument}. See holdall --help.`)
  print(VERSION)
}
