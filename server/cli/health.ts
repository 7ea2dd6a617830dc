import { existsSync, readFileSync } from 'node:fs'
import { dataPaths } from '../files/data-dir.ts'
import { readArguments } from './arguments.ts'
import { type Command, CommandError } from './command.ts'

/** Longer than a busy service takes. */
const TIMEOUT_MS = 5_000

/** `holdall health`: done when the service that runs on the data directory can work. */
export const health: Command = async (args, around) => {
  const { config } = readArguments(args, around.env)
  const { serviceOrigin } = dataPaths(config.data, config.archives)
  const remedy = 'Start it with holdall serve, or name its directory with --data.'
  if (!existsSync(serviceOrigin)) throw new CommandError(`No Holdall runs on this data directory. ${remedy}`)
  const [, localOrigin] = readFileSync(serviceOrigin, 'utf8').split('\n')
  const answer = await fetch(`${localOrigin}/health`, {
    // A proxy of the environment does not lead to this machine.
    proxy: false,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null)
  if (answer === null) throw new CommandError(`Holdall does not answer. ${remedy}`)
  if (!answer.ok) throw new CommandError('Holdall cannot work at the moment. Its log says why.')
  around.print('ok')
}
