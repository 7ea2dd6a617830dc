import { openAccounts } from './accounts.ts'
import { planNamed, readArguments } from './arguments.ts'
import type { Command } from './command.ts'

/** `holdall user set-plan NAME PLAN`: holds from the user's next request on; jobs that run keep their limits. */
export const userSetPlan: Command = (args, around) => {
  const { positionals, config } = readArguments(args, around.env, { positionals: ['NAME', 'PLAN'] })
  const [name, plan] = positionals
  const wanted = planNamed(plan, 'PLAN')
  using accounts = openAccounts(config, around.files)
  accounts.store.setPlan(accounts.user(name).id, wanted)
}
