import { VERSION } from '../version.ts'
import { readArguments } from './arguments.ts'
import type { Command } from './command.ts'

/** `holdall version`: the version alone. */
export const version: Command = (args, around) => {
  readArguments(args, around.env)
  around.print(VERSION)
}
