import { OWNER_NAME } from '../accounts/user.ts'
import { systemClock } from '../clock.ts'
import { discardArchive } from '../files/archive-dir.ts'
import { openJobStore } from '../jobs/job-store.ts'
import { removeUser } from '../jobs/remove-user.ts'
import { openUserRemovalStore } from '../jobs/user-removal-store.ts'
import { openAccounts } from './accounts.ts'
import { readArguments } from './arguments.ts'
import { type Command, CommandError } from './command.ts'

/** `holdall user remove NAME`: with keys, jobs and archives, for good. A job that runs stops at its next step. */
export const userRemove: Command = async (args, around) => {
  const { positionals, config } = readArguments(args, around.env, { positionals: ['NAME'] })
  const [name] = positionals
  if (name === OWNER_NAME) throw new CommandError('The owner cannot be removed: the service belongs to it.')
  using accounts = openAccounts(config, around.files)
  const user = accounts.user(name)
  await removeUser(user.id, {
    removal: openUserRemovalStore(accounts.db),
    jobs: openJobStore(accounts.db),
    clock: systemClock,
    // What is to go stays written down: the service looks for what a job that ran has written meanwhile.
    discardArchive: (jobId) => discardArchive(accounts.dir, jobId),
  })
}
