import { Elysia } from 'elysia'
import { ServiceError } from '../errors.ts'
import { VERSION } from '../version.ts'

/** `GET /health`, without a key: whether the service can work. */
export function healthRoutes(canWork: () => boolean) {
  return new Elysia().get('/health', () => {
    if (!canWork())
      throw new ServiceError('UNAVAILABLE', 'Holdall cannot work at the moment. Its log says why.')
    return { success: true, version: VERSION }
  })
}
