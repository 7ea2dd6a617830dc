import { z } from 'zod'
import { dataPaths } from '../files/data-dir.ts'
import { RUN_ID_HEADER, readServiceOrigin } from '../files/service-origin.ts'
import { readArguments } from './arguments.ts'
import { type Command, CommandError } from './command.ts'

/** `holdall health`: succeeds when the service that runs on the data directory can work. */
export const health: Command = async (args, context) => {
  const { config } = readArguments(args, context.env)
  const remedy = 'Start it with holdall serve, or name its directory with --data.'
  const service = readServiceOrigin(dataPaths(config.data, config.archives).serviceOrigin)
  if (service === null) throw new CommandError(`No Holdall runs on this data directory. ${remedy}`)
  const response = await fetch(`${service.localOrigin}/health`, {
    // A proxy that is set in the environment could not reach this machine.
    proxy: false,
    redirect: 'manual',
    signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
  }).catch(() => null)
  if (response === null) throw new CommandError(`Holdall does not respond. ${remedy}`)
  if (response.headers.get(RUN_ID_HEADER) !== service.runId) {
    throw new CommandError(
      `No Holdall runs on this data directory: its last address now belongs to another service. ${remedy}`,
    )
  }
  const { error, damaged_archives } = healthResponse.parse(await response.json())
  if (error !== undefined) throw new CommandError(`Holdall cannot work. ${error.message}`)
  context.print('ok')
  if (damaged_archives !== undefined) {
    console.error(`Archives whose files are damaged: ${damaged_archives}. The log names their jobs.`)
  }
}

/** `holdall paths`: one line per path that Holdall writes to, whether it exists yet or not. */
export const paths: Command = (args, context) => {
  const { config } = readArguments(args, context.env)
  const dir = dataPaths(config.data, config.archives)
  const pathsByName = {
    data: dir.root,
    database: dir.database,
    archives: dir.archives,
    secrets: dir.signingSecrets,
  }
  for (const [name, path] of Object.entries(pathsByName)) context.print(`${name}\t${path}`)
}

/** Even a busy service responds sooner. */
const HEALTH_TIMEOUT_MS = 5_000

const healthResponse = z.object({
  error: z.object({ message: z.string() }).optional(),
  damaged_archives: z.number().optional(),
})
