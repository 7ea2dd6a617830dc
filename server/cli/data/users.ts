import { isUserName, OWNER_NAME } from '../../accounts/user.ts'
import { removeUser } from '../../admin/remove-user.ts'
import { openUserRemovalStore } from '../../admin/user-removal-store.ts'
import { discardArchive } from '../../data/archive-dir.ts'
import { openTransitionStore } from '../../jobs/lifecycle/transition-store.ts'
import { openEventStore } from '../../notifiers/event-store.ts'
import { REQUEST_LIMITS } from '../../request-limits.ts'
import { systemClock } from '../../time/clock.ts'
import { parsePlanName, readArguments } from '../arguments.ts'
import { type Command, CommandError, UsageError } from '../command.ts'
import { openAccounts } from './accounts.ts'

/** `holdall user add NAME [--plan free|pro]`: prints a sign-in link for the new user. */
export const userAdd: Command = async (args, context) => {
  const { positionals, own, config } = readArguments(args, context.env, {
    own: ['plan'],
    positionals: ['NAME'],
  })
  const [name = ''] = positionals
  const plan = parsePlanName(own.plan ?? 'pro', '--plan')
  if (!isUserName(name))
    throw new UsageError(`NAME: expected 1 to ${REQUEST_LIMITS.userNameCharacters} printable characters`)
  using accounts = openAccounts(config, context.files)
  const user = accounts.store.createUser(name, plan, systemClock())
  if (user === null) throw new CommandError(`A user ${name} already exists. Choose another name.`)
  context.print(accounts.signInLink(user))
}

/** `holdall user list`: one line per user: name, plan and creation time, separated by tabs. */
export const userList: Command = async (args, context) => {
  const { config } = readArguments(args, context.env)
  using accounts = openAccounts(config, context.files)
  for (const { name, plan, createdAt } of accounts.store.listUsers()) {
    context.print([name, plan, new Date(createdAt).toISOString()].join('\t'))
  }
}

/** `holdall user set-plan NAME PLAN`: takes effect with the user's next request. Running jobs keep their limits. */
export const userSetPlan: Command = async (args, context) => {
  const { positionals, config } = readArguments(args, context.env, { positionals: ['NAME', 'PLAN'] })
  const [name, planName] = positionals
  const plan = parsePlanName(planName, 'PLAN')
  using accounts = openAccounts(config, context.files)
  accounts.store.setPlan(accounts.user(name).id, plan)
}

/** `holdall user remove NAME`: deletes the user with all keys, jobs and archives. A running job stops at its next step. */
export const userRemove: Command = async (args, context) => {
  const { positionals, config } = readArguments(args, context.env, { positionals: ['NAME'] })
  const [name] = positionals
  if (name === OWNER_NAME) throw new CommandError('The owner cannot be removed: the service belongs to it.')
  using accounts = openAccounts(config, context.files)
  const user = accounts.user(name)
  await removeUser(user.id, {
    removal: openUserRemovalStore(accounts.db),
    transitions: openTransitionStore(accounts.db, openEventStore(accounts.db).jobEnded),
    clock: systemClock,
    // Jobs run in the service, whose runs stop at their next step.
    halt: async () => {},
    // Keeps the rows in `file_deletions`: a job that was running may write more files, which the service then deletes.
    deleteFiles: (jobId) => discardArchive(accounts.dir, jobId),
  })
}

/** `holdall sign-in-link [--user NAME]`: prints a new one-time link. */
export const createSignInLink: Command = async (args, context) => {
  const { own, config } = readArguments(args, context.env, { own: ['user'] })
  using accounts = openAccounts(config, context.files)
  context.print(accounts.signInLink(accounts.user(own.user)))
}
