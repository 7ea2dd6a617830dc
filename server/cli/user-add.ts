import { isUserName } from '../accounts/user.ts'
import { systemClock } from '../clock.ts'
import { openAccounts } from './accounts.ts'
import { planNamed, readArguments, UsageError } from './arguments.ts'
import { type Command, CommandError } from './command.ts'

/** `holdall user add NAME [--plan free|pro]`: prints a sign-in link for the new user. */
export const userAdd: Command = (args, around) => {
  const { positionals, own, config } = readArguments(args, around.env, {
    own: ['plan'],
    positionals: ['NAME'],
  })
  const [name = ''] = positionals
  const plan = planNamed(own.plan ?? 'pro', '--plan')
  if (!isUserName(name)) throw new UsageError('NAME: expected 1 to 64 printable characters')
  using accounts = openAccounts(config, around.files)
  const user = accounts.store.createUser(name, plan, systemClock())
  if (user === null) throw new CommandError(`There is a user ${name} already. Choose another name.`)
  around.print(accounts.signInLink(user))
}
