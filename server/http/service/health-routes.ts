import { Elysia } from 'elysia'
import { z } from 'zod'
import { RUN_ID_HEADER } from '../../data/service-origin.ts'
import { ServiceError } from '../../errors.ts'
import type { Health } from '../../monitoring/health.ts'
import { VERSION } from '../../version.ts'
import { operation, successBody } from '../operation.ts'

export interface HealthRoutesOptions {
  readonly health: Health
  /** Random, new at each start. */
  readonly runId: string
  countDamaged(): number
  storeTrouble(): string | null
}

/** `GET /health`, without a key: whether the service can work. */
export function healthRoutes({ health, runId, countDamaged, storeTrouble }: HealthRoutesOptions) {
  return new Elysia().get(
    '/health',
    async ({ set }) => {
      set.headers[RUN_ID_HEADER] = runId
      const trouble = await health.trouble()
      if (trouble !== null) throw new ServiceError('UNAVAILABLE', trouble)
      const damagedCount = countDamaged()
      const archiveStore = storeTrouble()
      return {
        success: true,
        version: VERSION,
        ...(damagedCount === 0 ? {} : { damaged_archives: damagedCount }),
        ...(archiveStore === null ? {} : { archive_store: archiveStore }),
      }
    },
    {
      detail: operation({
        tag: 'Service',
        id: 'getHealth',
        summary: 'Check whether the service can work',
        isOpen: true,
        success: {
          200: {
            description:
              'The service can work. damaged_archives counts archives whose files are missing or damaged, if there are any. archive_store says ' +
              'why finished archives wait for their upload, if they do.',
            json: successBody({
              version: z.string(),
              damaged_archives: z.int().min(1).optional(),
              archive_store: z.string().optional(),
            }),
          },
        },
      }),
    },
  )
}
