import { z } from 'zod'
import type { Config } from '../../config/config.ts'
import { dataPaths } from '../../data/data-dir.ts'
import { RUN_ID_HEADER, readServiceOrigin } from '../../data/service-origin.ts'
import { CommandError } from '../command.ts'

/** The service that runs on a data directory. */
export interface RunningService {
  /** The origin in its links. */
  readonly origin: string
  readonly health: z.infer<typeof healthResponse>
}

/**
 * Asks the service that runs on the data directory for its health.
 * @throws CommandError when none runs, or it does not respond
 */
export async function findRunningService(config: Config): Promise<RunningService> {
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
  return { origin: service.origin, health: healthResponse.parse(await response.json()) }
}

/** Even a busy service responds sooner. */
const HEALTH_TIMEOUT_MS = 5_000

const healthResponse = z.object({
  version: z.optional(z.string()),
  error: z.optional(z.object({ message: z.string() })),
  damaged_archives: z.optional(z.number()),
})
