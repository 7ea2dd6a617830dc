import { Elysia } from 'elysia'
import { ServiceError } from '../errors.ts'
import type { Health } from '../health.ts'
import { VERSION } from '../version.ts'

/** Carries the id of this run of the service, by which a command tells it from another one on the same port. */
export const RUN_HEADER = 'holdall-run'

/** `GET /health`, without a key: whether the service can work. */
export function healthRoutes(health: Health, runId: string, countDamaged: () => number) {
  return new Elysia().get('/health', async ({ set }) => {
    set.headers[RUN_HEADER] = runId
    const trouble = await health.trouble()
    if (trouble !== null) throw new ServiceError('UNAVAILABLE', trouble)
    const damaged = countDamaged()
    return { success: true, version: VERSION, ...(damaged === 0 ? {} : { damaged_archives: damaged }) }
  })
}
