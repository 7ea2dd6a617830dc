import { z } from 'zod'
import { dataPaths } from '../files/data-dir.ts'
import { readServiceOrigin } from '../files/service-origin.ts'
import { RUN_HEADER } from '../http/health.ts'
import { readArguments } from './arguments.ts'
import { type Command, CommandError } from './command.ts'

/** Longer than a busy service takes. */
const TIMEOUT_MS = 5_000

/** `holdall health`: done when the service that runs on the data directory can work. */
export const health: Command = async (args, around) => {
  const { config } = readArguments(args, around.env)
  const remedy = 'Start it with holdall serve, or name its directory with --data.'
  const service = readServiceOrigin(dataPaths(config.data, config.archives).serviceOrigin)
  if (service === null) throw new CommandError(`No Holdall runs on this data directory. ${remedy}`)
  const answer = await fetch(`${service.localOrigin}/health`, {
    // A proxy of the environment does not lead to this machine.
    proxy: false,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null)
  if (answer === null) throw new CommandError(`Holdall does not answer. ${remedy}`)
  if (answer.headers.get(RUN_HEADER) !== service.runId) {
    throw new CommandError(
      `No Holdall runs on this data directory: its last address now belongs to another service. ${remedy}`,
    )
  }
  const told = answerSchema.parse(await answer.json())
  if (told.error !== undefined) throw new CommandError(`Holdall cannot work. ${told.error.message}`)
  around.print('ok')
  if (told.damaged_archives !== undefined) {
    console.error(`Archives whose files are damaged: ${told.damaged_archives}. The log names their jobs.`)
  }
}

const answerSchema = z.object({
  error: z.object({ message: z.string() }).optional(),
  damaged_archives: z.number().optional(),
})
