import { Elysia } from 'elysia'
import type { ServiceStatus } from '../../admin/service-status.ts'
import type { Authentication } from '../authenticate.ts'
import { operation, successBody } from '../operation.ts'
import { statusToJson } from './json.ts'
import { serviceStatus } from './schemas.ts'

/** The state of the service. `authentication` lets only the owner pass. */
export function statusRoutes(authentication: Authentication, status: () => ServiceStatus) {
  return new Elysia()
    .use(authentication)
    .get('/service', () => ({ success: true, service: statusToJson(status()) }), {
      detail: operation({
        tag: 'Service',
        id: 'getService',
        summary: 'Get the state of the service',
        description: 'For the owner.',
        success: { 200: { description: 'The state.', json: successBody({ service: serviceStatus }) } },
        errors: ['FORBIDDEN'],
      }),
    })
}
