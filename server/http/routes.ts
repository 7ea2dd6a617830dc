import { Elysia, NotFoundError } from 'elysia'
import type { SignIn } from '../accounts/sign-in.ts'
import type { UsageMeter } from '../accounts/usage.ts'
import type { ServiceStatus } from '../admin/service-status.ts'
import type { Users } from '../admin/users.ts'
import type { Downloads } from '../downloads/downloads.ts'
import type { SharedArchives } from '../downloads/shared-archives.ts'
import { TextGarbage } from '../garbage.ts'
import type { Inspections } from '../inspection/inspections.ts'
import type { JobDetail } from '../jobs/job.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { LiveProgress } from '../jobs/progress.ts'
import type { Entries } from '../jobs/reading/entries.ts'
import type { ApiKeys } from '../keys/api-keys.ts'
import type { Log } from '../logging/log.ts'
import type { Health } from '../monitoring/health.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import type { Notifiers } from '../notifiers/notifiers.ts'
import type { Runs } from '../schedules/runs.ts'
import type { Schedules } from '../schedules/schedules.ts'
import type { Settings } from '../settings/settings.ts'
import type { Sites } from '../sites/sites.ts'
import type { Clock } from '../time/clock.ts'
import { NOTIFIER_KINDS } from '../vocabulary.ts'
import { authenticate, type Senders } from './authenticate.ts'
import { openJsonBodies } from './body/json-body.ts'
import { openRequestMemory } from './body/memory.ts'
import { openResponseMemory } from './body/response-memory.ts'
import { openTurns } from './body/turns.ts'
import { openGuessLimit } from './clients/guess-limit.ts'
import { isLocalClient } from './clients/local-client.ts'
import { openRequestLimit } from './clients/token-buckets.ts'
import { openTrustedProxies } from './clients/trusted-proxies.ts'
import { referenceRoutes } from './docs/routes.ts'
import type { ArchiveUrls } from './downloads/json.ts'
import { refuseOldClient } from './downloads/old-clients.ts'
import { downloadRoutes } from './downloads/routes.ts'
import { sharedRoutes } from './downloads/shared-routes.ts'
import { toServiceError, unknownRoute } from './error-responses.ts'
import { inspectionRoutes } from './inspection/routes.ts'
import { eventRoutes } from './jobs/event-routes.ts'
import { openEventStreams } from './jobs/event-streams.ts'
import { jobJson } from './jobs/json.ts'
import { jobRoutes } from './jobs/routes.ts'
import { apiKeyRoutes } from './keys/routes.ts'
import { signInRoutes } from './keys/sign-in-routes.ts'
import { openTestLimit } from './notifiers/delivery-routes.ts'
import { notifierRoutes } from './notifiers/routes.ts'
import { queryOf } from './query.ts'
import { openRequestLog } from './request-log.ts'
import { requiredTarget } from './request-target.ts'
import { RESPONSE_HEADERS } from './response-headers.ts'
import { scheduleRoutes } from './schedules/routes.ts'
import { healthRoutes } from './service/health-routes.ts'
import { countRequests, metricsRoutes } from './service/metrics-routes.ts'
import { statusRoutes } from './service/routes.ts'
import { settingsRoutes } from './service/settings-routes.ts'
import { siteRoutes } from './sites/routes.ts'
import { openUiPage } from './ui/page.ts'
import { uiRoutes } from './ui/routes.ts'
import { meRoutes } from './users/me-routes.ts'
import { userRoutes } from './users/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

export interface RoutesOptions {
  readonly apiKeys: ApiKeys
  readonly signIn: SignIn
  readonly users: Users
  serviceStatus(): ServiceStatus
  readonly jobs: Jobs
  readonly inspections: Inspections
  readonly schedules: Schedules
  readonly scheduleRuns: Pick<Runs, 'beginNow'>
  readonly live: LiveProgress
  readonly entries: Entries
  readonly downloads: Downloads
  readonly shared: SharedArchives
  readonly notifiers: Notifiers
  /** The operations on webhooks, and on no other notifiers. */
  readonly webhooks: Notifiers
  readonly sites: Sites
  readonly usage: UsageMeter
  readonly settings: Settings
  readonly clock: Clock
  readonly uiDir: string
  readonly log: Log
  readonly health: Health
  /** Random, new at each start. */
  readonly runId: string
  readonly metrics: Metrics
  countDamaged(): number
  /** Why the archive store can't be used, as a sentence; null when it can, or when there is none. */
  storeTrouble(): string | null
}

/** All that the service answers: what every request goes through, and one resource after the other. */
export function openRoutes(options: RoutesOptions) {
  const { settings, clock, log, metrics, apiKeys, jobs, live, downloads, shared } = options
  const { current, plans } = settings
  const proxies = openTrustedProxies(current.trustProxies)
  const limitGuessing = openGuessLimit(proxies, clock)
  const requestsPerKey = openRequestLimit(() => settings.current.rateLimit, clock)
  const takeTest = openTestLimit(clock)
  const senders: Senders = new WeakMap()
  const authentication = authenticate(apiKeys, requestsPerKey, senders)
  const ownerAuthentication = authenticate(apiKeys, requestsPerKey, senders, 'the owner')
  const requestLog = openRequestLog(log, countRequests(metrics))
  const servedBytes = metrics.counter(
    'holdall_served_bytes_total',
    'Bytes of archives that responses announced.',
  )
  const uiPage = openUiPage(options.uiDir)
  const garbage = new TextGarbage()
  const turns = openTurns()
  const memory = openResponseMemory(garbage, () => app.server?.pendingRequests ?? 0)
  const streams = openEventStreams(apiKeys, log, memory, turns)
  const sending = { servedBytes, memory, turns: openTurns(memory.partsPerTurn) }
  const userIdOf = (request: Request) => senders.get(request) ?? null
  const bodies = openJsonBodies(openRequestMemory(garbage), turns, userIdOf)
  const jsonBody = bodies.parser
  const toJson = (job: JobDetail, request: Request) =>
    jobJson(job, downloads.linksOf(job, publicUrlOf(request)))
  const originOf = (request: Request) =>
    proxies.requestedOrigin(request, peerAddressOf(request), requiredTarget(request))
  /** Where the client of a request reaches the service. */
  const publicUrlOf = (request: Request) => settings.current.baseUrl ?? originOf(request)
  const urls: ArchiveUrls = {
    originOf: publicUrlOf,
    shareUrlOf: (job, origin) => downloads.linksOf(job, origin).share,
  }

  // Otherwise, Elysia returns 405 for some paths if the host name has one to three letters, as in a local network.
  const api = new Elysia({ strictPath: true, handler: { standardHostname: false } })
    .onRequest(({ request, set }) => {
      app.server?.timeout(request, IDLE_SECONDS)
      Object.assign(set.headers, RESPONSE_HEADERS, { 'x-request-id': requestLog.begin(request) })
      refuseOldClient(request, downloads)
      requiredTarget(request)
    })
    .onTransform((context) => {
      context.query = queryOf(context.request.url)
    })
    .onError(({ error, request }) => {
      bodies.handled(request)
      // Not by Elysia's `code`: that is the `code` property of the thrown error, if it has one.
      const response =
        error instanceof NotFoundError
          ? noRoute(request)
          : limitGuessing(
              toServiceError(error, log, requestLog.idOf(request)),
              request,
              peerAddressOf(request),
            )
      requestLog.noteError(request, response.status)
      return uiPage?.inPlaceOf(response, request) ?? response
    })
    .onAfterResponse(({ request, route, responseValue, set }) => {
      bodies.handled(request)
      const status = responseValue instanceof Response ? responseValue.status : Number(set.status ?? 200)
      requestLog.end(request, route, status)
    })
    .use(
      healthRoutes({
        health: options.health,
        runId: options.runId,
        countDamaged: options.countDamaged,
        storeTrouble: options.storeTrouble,
      }),
    )
    .use(signInRoutes(authentication, options.signIn, apiKeys, jsonBody))
    .use(meRoutes(authentication, plans, options.usage))
    .use(apiKeyRoutes(authentication, apiKeys, jsonBody))
    .use(
      jobRoutes({
        authentication,
        jobs,
        plans,
        entries: options.entries,
        jsonBody,
        memory,
        turns,
        toJson,
      }),
    )
    .use(inspectionRoutes({ authentication, inspections: options.inspections, jsonBody, memory, turns, log }))
    .use(
      scheduleRoutes({
        authentication,
        schedules: options.schedules,
        runs: options.scheduleRuns,
        jsonBody,
        memory,
        turns,
        latestUrlOf: (id, request) => downloads.latestUrlOf(id, publicUrlOf(request)),
      }),
    )
    .use(webhookRoutes({ authentication, webhooks: options.webhooks, jsonBody, takeTest, originOf }))
    .use(
      notifierRoutes({
        authentication,
        notifiers: options.notifiers,
        kinds: () => NOTIFIER_KINDS.filter((kind) => kind !== 'email' || settings.current.smtp !== null),
        jsonBody,
        takeTest,
        originOf,
      }),
    )
    .use(siteRoutes({ authentication, sites: options.sites, jsonBody }))
    .use(eventRoutes({ authentication, jobs, live, streams, toJson }))
    .use(
      userRoutes({ authentication: ownerAuthentication, users: options.users, jsonBody, turns, publicUrlOf }),
    )
    .use(statusRoutes(ownerAuthentication, options.serviceStatus))
    .use(
      settingsRoutes({
        authentication: ownerAuthentication,
        settings,
        jsonBody,
        runId: options.runId,
        originOf,
      }),
    )
    .use(
      metricsRoutes(metrics, current.metricsToken, (request) =>
        isLocalClient(request, peerAddressOf(request)),
      ),
    )
    .use(downloadRoutes(downloads, sending, clock))
    .use(sharedRoutes(shared, sending, urls))
  const app = api.use(referenceRoutes(api.routes)).use(uiRoutes(options.uiDir, uiPage, shared, urls))
  const { routes } = app

  function noRoute(request: Request): Response {
    return unknownRoute(routes, request)
  }

  function peerAddressOf(request: Request): string {
    return app.server?.requestIP(request)?.address ?? 'unknown'
  }

  return { app, streams, isTrustedProxy: proxies.isTrusted }
}

/** The timeout between two requests, and until a response begins. Event streams have their own. */
const IDLE_SECONDS = 60
