import { Elysia, NotFoundError } from 'elysia'
import type { Plans } from '../accounts/plan.ts'
import type { SignIn } from '../accounts/sign-in.ts'
import type { UsageMeter } from '../accounts/usage.ts'
import type { Clock } from '../clock.ts'
import type { Downloads } from '../downloads/downloads.ts'
import { ServiceError } from '../errors.ts'
import type { Health } from '../health.ts'
import type { Entries } from '../jobs/entries.ts'
import type { JobDetail } from '../jobs/job.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { LiveProgress } from '../jobs/progress.ts'
import type { ApiKeys } from '../keys/api-keys.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { apiKeyRoutes } from './api-keys.ts'
import { authenticate } from './authenticate.ts'
import { openBodyRoom } from './body-room.ts'
import { openCollector } from './collector.ts'
import { keepDescriptorsFree } from './descriptors.ts'
import { docsRoutes } from './docs.ts'
import { downloadRoutes } from './downloads.ts'
import { errorResponse, toServiceError } from './errors.ts'
import { openEventStreams } from './event-streams.ts'
import { eventRoutes } from './events.ts'
import { healthRoutes } from './health.ts'
import { jobRoutes } from './jobs.ts'
import { openJsonBody } from './json-body.ts'
import { meRoutes } from './me.ts'
import { allowedMethods } from './methods.ts'
import { countRequests, metricsRoutes } from './metrics.ts'
import { openPeers } from './peers.ts'
import { openRequestLog } from './request-log.ts'
import { requiredTarget } from './request-target.ts'
import { RESPONSE_HEADERS } from './response-headers.ts'
import { signInRoutes } from './sign-in.ts'
import { openTokenBuckets } from './token-buckets.ts'
import { uiRoutes } from './ui.ts'
import { jobJson } from './wire.ts'

export interface ServiceOptions {
  readonly apiKeys: ApiKeys
  readonly signIn: SignIn
  readonly jobs: Jobs
  readonly live: LiveProgress
  readonly entries: Entries
  readonly downloads: Downloads
  readonly usage: UsageMeter
  readonly plans: Plans
  /** Where clients reach the service; null takes the origin of each request. */
  readonly baseUrl: string | null
  /** Requests a minute a key; 0 is no limit. */
  readonly rateLimit: number
  readonly trustProxies: readonly string[]
  readonly clock: Clock
  readonly uiDir: string
  readonly log: Log
  readonly health: Health
  /** Random, anew at each start. */
  readonly runId: string
  readonly metrics: Metrics
  /** Who has it may read the metrics from anywhere. */
  readonly metricsToken: string | null
  countDamaged(): number
}

/** A listening service; disposing of it lets requests under way finish for a moment, then cuts them. */
export interface HttpService extends AsyncDisposable {
  readonly origin: string
  readonly port: number
}

/** The longest that Bun allows. It goes back to this whenever it sends a part: a paused download is not to be cut soon. */
const CONNECTION_IDLE_SECONDS = 255
/** Between two requests, and while one is answered. Event streams have a time of their own. */
const IDLE_SECONDS = 60
/** Wrong keys and tokens a minute from one address. */
const WRONG_TRIES_A_MINUTE = 300
/** How long requests under way may go on when the service stops; downloads resume by `Range`. */
const GRACE_MS = 5_000
/** Bun would refuse longer bodies without an envelope. It keeps nothing of a body that no route reads. */
const MAX_UNREAD_BODY_BYTES = Number.MAX_SAFE_INTEGER

export async function listen(options: ServiceOptions, hostname: string, port: number): Promise<HttpService> {
  const { apiKeys, clock, rateLimit, baseUrl } = options
  const peers = openPeers(options.trustProxies)
  const wrongTries = openTokenBuckets(WRONG_TRIES_A_MINUTE, clock)
  const guard = authenticate(apiKeys, rateLimit === 0 ? null : openTokenBuckets(rateLimit, clock))
  const requests = openRequestLog(options.log, countRequests(options.metrics))
  const served = options.metrics.counter(
    'holdall_served_bytes_total',
    'Bytes of archives that answers promised.',
  )
  const collector = openCollector()
  const streams = openEventStreams(apiKeys, options.log, collector)
  const jsonBody = openJsonBody(openBodyRoom(collector))
  const toJson = (job: JobDetail, request: Request) => {
    const token = options.downloads.tokenFor(job)
    const origin = baseUrl ?? peers.originOf(request, peerOf(request), requiredTarget(request))
    return jobJson(job, token === null ? null : `${origin}/download/${token}`)
  }

  // Else hosts of one to three letters, as in a local network, get 405 where the path has more than one method.
  const api = new Elysia({ strictPath: true, handler: { standardHostname: false } })
    .onRequest(({ request, set }) => {
      app.server?.timeout(request, IDLE_SECONDS)
      Object.assign(set.headers, RESPONSE_HEADERS, { 'x-request-id': requests.begin(request) })
      requiredTarget(request)
    })
    .onError(({ error, request }) => {
      // Not by `code`: Elysia copies the code of any error thrown into it.
      const response =
        error instanceof NotFoundError
          ? unknownRoute(request)
          : slowed(toServiceError(error, options.log, requests.idOf(request)), request)
      requests.failed(request, response.status)
      return response
    })
    .onAfterResponse(({ request, route, responseValue, set }) => {
      const status = responseValue instanceof Response ? responseValue.status : Number(set.status ?? 200)
      requests.end(request, route, status)
    })
    .use(healthRoutes(options.health, options.runId, options.countDamaged))
    .use(signInRoutes(options.signIn, apiKeys, jsonBody))
    .use(meRoutes(guard, options.plans, options.usage))
    .use(apiKeyRoutes(guard, apiKeys, jsonBody))
    .use(jobRoutes({ ...options, guard, jsonBody, collector, toJson }))
    .use(eventRoutes({ ...options, guard, streams, toJson }))
    .use(
      metricsRoutes(options.metrics, options.metricsToken, (request) =>
        peers.isLocal(request, peerOf(request)),
      ),
    )
    .use(downloadRoutes(options.downloads, served))
  const app = api.use(docsRoutes(api.routes)).use(await uiRoutes(options.uiDir))
  const { routes } = app

  function unknownRoute(request: Request): Response {
    const methods = allowedMethods(routes, requiredTarget(request).pathname)
    if (methods.length === 0) return errorResponse(new ServiceError('NOT_FOUND', 'There is nothing here.'))
    const message = `This path answers to ${methods.join(', ')}.`
    return errorResponse(new ServiceError('METHOD_NOT_ALLOWED', message), { allow: methods.join(', ') })
  }

  function peerOf(request: Request): string {
    return app.server?.requestIP(request)?.address ?? 'unknown'
  }

  /** Guessing is slowed: who tried too many wrong keys or tokens is told so in place of the next refusal. */
  function slowed(error: ServiceError, request: Request): Response {
    if (error.code !== 'UNAUTHORIZED' && error.code !== 'INVALID_TOKEN') return errorResponse(error)
    const { allowed, retryAfterSeconds } = wrongTries.take(peers.sourceOf(request, peerOf(request)))
    if (allowed) return errorResponse(error)
    const message = `Too many wrong keys or tokens came from this address. Try again in ${retryAfterSeconds} s.`
    const headers = { 'retry-after': `${retryAfterSeconds}` }
    return errorResponse(new ServiceError('RATE_LIMITED', message), headers)
  }

  app.listen({
    hostname,
    port,
    // Else a second service at this address would start, and connections would go to one or the other.
    reusePort: false,
    // Else the error page shows sources and paths, whatever the build says of NODE_ENV.
    development: false,
    // What fails outside of routes and hooks, as a file does that is being sent.
    error(error) {
      const id = crypto.randomUUID()
      return errorResponse(toServiceError(error, options.log, id), {
        ...RESPONSE_HEADERS,
        'x-request-id': id,
      })
    },
    idleTimeout: CONNECTION_IDLE_SECONDS,
    maxRequestBodySize: MAX_UNREAD_BODY_BYTES,
  })
  const { server } = app
  if (server?.port === undefined) throw new Error('the server does not listen')
  const descriptors = keepDescriptorsFree(server)
  return {
    port: server.port,
    origin: ownOrigin(hostname, server.port),
    async [Symbol.asyncDispose]() {
      descriptors[Symbol.dispose]()
      streams[Symbol.dispose]()
      const timer = setTimeout(() => server.stop(true), GRACE_MS)
      await server.stop(false)
      clearTimeout(timer)
    },
  }
}

/** A server that listens on every address of the machine is reached from it by the loopback one. */
function ownOrigin(hostname: string, port: number): string {
  const host = hostname === '0.0.0.0' || hostname === '::' ? 'localhost' : hostname
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
