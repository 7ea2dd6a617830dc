import { Elysia } from 'elysia'
import type { ServiceStatus } from '../../admin/service-status.ts'
import type { StartAtLogin } from '../../admin/start-at-login.ts'
import { ServiceError } from '../../errors.ts'
import type { Authentication } from '../authenticate.ts'
import { type JsonBody, MAX_BODY_BYTES } from '../body/json-body.ts'
import { operation, successBody } from '../operation.ts'
import { statusToJson } from './json.ts'
import { changeServiceBody, serviceStatus } from './schemas.ts'

export interface StatusRoutesOptions {
  /** Lets only the owner pass. */
  readonly authentication: Authentication
  status(): ServiceStatus
  /** Null where the system can't start the service at a login. */
  readonly startAtLogin: StartAtLogin | null
  readonly jsonBody: JsonBody
  /** Whether the client of a request is on this machine. */
  isLocalClient(request: Request): boolean
}

/** The state of the service, and what its owner changes of it. */
export function statusRoutes(options: StatusRoutesOptions) {
  const { authentication, status, jsonBody } = options

  /** Elsewhere, a key must not be enough to change what this machine starts. */
  function startAtLoginFor(request: Request): StartAtLogin | null {
    return options.isLocalClient(request) ? options.startAtLogin : null
  }

  function responseTo(request: Request) {
    const startsAtLogin = startAtLoginFor(request)?.isOn() ?? null
    return { success: true, service: statusToJson(status(), startsAtLogin) }
  }

  return new Elysia()
    .use(authentication)
    .get('/service', ({ request }) => responseTo(request), {
      detail: operation({
        tag: 'Service',
        id: 'getService',
        summary: 'Get the state of the service',
        description: 'For the owner.',
        success: { 200: serviceResponse },
        errors: ['FORBIDDEN'],
      }),
    })
    .patch(
      '/service',
      async ({ body, request }) => {
        const startAtLogin = startAtLoginFor(request)
        if (startAtLogin === null) throw new ServiceError('FORBIDDEN', NOT_HERE)
        await startAtLogin.set(body.start_at_login)
        return responseTo(request)
      },
      {
        parse: jsonBody(MAX_BODY_BYTES),
        body: changeServiceBody,
        detail: operation({
          tag: 'Service',
          id: 'changeService',
          summary: 'Start Holdall at login, or no longer',
          description:
            'For the owner, on the machine where Holdall runs. The running service is not started or stopped. `FORBIDDEN` where `start_at_login` is null.',
          success: { 200: serviceResponse },
          errors: ['FORBIDDEN', 'UNAVAILABLE'],
        }),
      },
    )
}

const serviceResponse = { description: 'The state.', json: successBody({ service: serviceStatus }) }

const NOT_HERE =
  'Start at login can be changed only on the computer where Holdall runs, by the user who started it. On a server, use holdall install.'
