import { Elysia } from 'elysia'
import { ServiceError } from '../../errors.ts'
import type { Metrics } from '../../monitoring/metrics.ts'
import { isSameSecret } from '../../text/same-secret.ts'
import { notFound } from '../error-responses.ts'
import { operation } from '../operation.ts'
import type { CompletedRequest } from '../request-log.ts'

/**
 * `GET /metrics`, for clients that send the token (`--metrics-token`) as bearer token. Others get UNAUTHORIZED. When no token is set,
 * it is for clients on this machine, and others get NOT_FOUND.
 */
export function metricsRoutes(
  metrics: Metrics,
  token: string | null,
  isLocalClient: (request: Request) => boolean,
) {
  return new Elysia().get(
    '/metrics',
    ({ request }) => {
      if (token === null && !isLocalClient(request)) throw notFound()
      if (token !== null && !hasToken(request, token))
        throw new ServiceError('UNAUTHORIZED', 'The metrics token is needed: Authorization: Bearer <token>.')
      return new Response(metrics.text(), { headers: { 'content-type': TEXT_FORMAT } })
    },
    {
      detail: operation({
        tag: 'Service',
        id: 'getMetrics',
        summary: 'Get metrics of the service',
        description:
          "In Prometheus' text format; with the metrics token as bearer, or, when none is set, from the machine of the service.",
        isOpen: true,
        success: { 200: { description: 'The metrics.', mediaType: 'text/plain' } },
        errors: ['NOT_FOUND', 'UNAUTHORIZED', 'RATE_LIMITED'],
      }),
    },
  )
}

/** Counts requests by route, method and status. */
export function countRequests(metrics: Metrics): (request: CompletedRequest) => void {
  const count = metrics.counter('holdall_http_requests_total', 'Requests by route, method and status.', [
    'method',
    'route',
    'status',
  ])
  const observe = metrics.histogram(
    'holdall_http_request_duration_seconds',
    'Time from a request to the beginning of its response.',
    DURATION_BOUNDS_SECONDS,
    ['route'],
  )
  return ({ method, route, status, durationMs }) => {
    count([method, route, String(status)])
    observe(durationMs / 1000, [route])
  }
}

const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8'

/** From the time of one indexed query to the time after which a person gives up. */
const DURATION_BOUNDS_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

function hasToken(request: Request, token: string): boolean {
  const [, sent] = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '') ?? []
  return sent !== undefined && isSameSecret(sent, token)
}
