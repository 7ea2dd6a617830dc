import { createHash, timingSafeEqual } from 'node:crypto'
import { Elysia } from 'elysia'
import { ServiceError } from '../errors.ts'
import type { Metrics } from '../metrics.ts'
import type { Answered } from './request-log.ts'

/**
 * `GET /metrics`: for who is on this machine, or has the token (`--metrics-token`) as bearer. To others there is nothing
 * here, or a token missing.
 */
export function metricsRoutes(
  metrics: Metrics,
  token: string | null,
  isLocal: (request: Request) => boolean,
) {
  return new Elysia().get('/metrics', ({ request }) => {
    if (!isLocal(request) && !hasToken(request, token)) {
      throw token === null
        ? new ServiceError('NOT_FOUND', 'There is nothing here.')
        : new ServiceError('UNAUTHORIZED', 'The metrics token is needed: Authorization: Bearer <token>.')
    }
    return new Response(metrics.text(), { headers: { 'content-type': TEXT_FORMAT } })
  })
}

/** Counts requests by what they were for and how they were answered. */
export function countRequests(metrics: Metrics): (answered: Answered) => void {
  const count = metrics.counter('holdall_http_requests_total', 'Requests by route, method and status.', [
    'method',
    'route',
    'status',
  ])
  const observe = metrics.histogram(
    'holdall_http_request_duration_seconds',
    'Time from a request to the beginning of its answer.',
    DURATION_BOUNDS_SECONDS,
    ['route'],
  )
  return ({ method, route, status, durationMs }) => {
    count([method, route, String(status)])
    observe(durationMs / 1000, [route])
  }
}

const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8'

/** From what an index answers to what a person no longer waits for. */
const DURATION_BOUNDS_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** By digests: how long it takes tells nothing of the token. */
function hasToken(request: Request, token: string | null): boolean {
  const [, given] = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '') ?? []
  return token !== null && given !== undefined && timingSafeEqual(digestOf(given), digestOf(token))
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
