import { Elysia } from 'elysia'
import { ServiceError } from '../errors.ts'
import { RUN_ID_HEADER } from '../files/service-origin.ts'
import type { Health } from '../health.ts'
import { VERSION } from '../version.ts'

/** `GET /health`, without a key: whether the service can work. */
export function healthRoutes(health: Health, runId: string, countDamaged: () => number) {
  return new Elysia().get('/health', async ({ set }) => {
    set.headers[RUN_ID_HEADER] = runId
    const trouble = await health.trouble()
    if (trouble !== null) throw new ServiceError('UNAVAILABLE', trouble)
    const damaged = countDamaged()
    return { success: true, version: VERSION, ...(damaged === 0 ? {} : { damaged_archives: damaged }) }
  })
}
