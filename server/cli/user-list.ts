import { openAccounts } from './accounts.ts'
import { readArguments } from './arguments.ts'
import type { Command } from './command.ts'

/** `holdall user list`: a line a user: name, plan and creation time, with tabs between. */
export const userList: Command = (args, around) => {
  const { config } = readArguments(args, around.env)
  using accounts = openAccounts(config, around.files)
  for (const { name, plan, createdAt } of accounts.store.listUsers()) {
    around.print([name, plan, new Date(createdAt).toISOString()].join('\t'))
  }
}
