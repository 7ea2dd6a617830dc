import { openAccounts } from './accounts.ts'
import { readArguments } from './arguments.ts'
import type { Command } from './command.ts'

/** `holdall sign-in-link [--user NAME]`: prints a fresh one-time link. */
export const signInLinkCommand: Command = (args, around) => {
  const { own, config } = readArguments(args, around.env, { own: ['user'] })
  using accounts = openAccounts(config, around.files)
  around.print(accounts.signInLink(accounts.user(own.user)))
}
