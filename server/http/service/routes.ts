import { Elysia } from 'elysia'
import type { Plan } from '../../accounts/plan.ts'
import type { Administration } from '../../admin/administration.ts'
import type { ServiceStatus } from '../../admin/service-status.ts'
import type { StartAtLogin } from '../../admin/start-at-login.ts'
import type { Config } from '../../config/config.ts'
import { ServiceError } from '../../errors.ts'
import { formatHostPort } from '../../fetching/addresses/ip.ts'
import { logFormatOf } from '../../logging/log.ts'
import { VERSION } from '../../version.ts'
import type { Authentication } from '../authenticate.ts'
import { type JsonBody, MAX_BODY_BYTES } from '../body/json-body.ts'
import { iso } from '../json.ts'
import { statsToJson } from '../jobs/json.ts'
import { operation, successBody } from '../operation.ts'
import { limitsToJson } from '../users/me-routes.ts'
import { changeServiceBody, type ServiceStatusJson, serviceStatus } from './schemas.ts'

export interface StatusRoutesOptions {
  /** Lets only the owner pass. */
  readonly authentication: Authentication
  readonly administration: Administration
  readonly jsonBody: JsonBody
  /** Whether the client of a request is on this machine. */
  isLocalClient(request: Request): boolean
}

/** The state of the service, and what its owner changes of it. */
export function statusRoutes(options: StatusRoutesOptions) {
  const { authentication, administration, jsonBody } = options

  /** Elsewhere, a key must not be enough to change what this machine starts. */
  function startAtLoginFor(request: Request): StartAtLogin | null {
    return options.isLocalClient(request) ? administration.startAtLogin : null
  }

  function responseTo(request: Request) {
    const startsAtLogin = startAtLoginFor(request)?.isOn() ?? null
    return { success: true, service: statusToJson(administration.status(), startsAtLogin) }
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
            'For the owner, on the machine where Holdall runs. What runs now goes on. `FORBIDDEN` where `start_at_login` is null.',
          success: { 200: serviceResponse },
          errors: ['FORBIDDEN', 'UNAVAILABLE'],
        }),
      },
    )
}

const serviceResponse = { description: 'The state.', json: successBody({ service: serviceStatus }) }

const NOT_HERE =
  'Start at login can be changed only on the computer where Holdall runs, by the user who started it. On a server, use holdall install.'

function statusToJson(status: ServiceStatus, startsAtLogin: boolean | null): ServiceStatusJson {
  const { freeBytes, totalBytes, keptFreeBytes } = status.disk
  return {
    version: VERSION,
    started_at: iso(status.startedAt),
    start_at_login: startsAtLogin,
    disk: { free: freeBytes, total: totalBytes, kept_free: keptFreeBytes },
    archive_bytes: status.archiveBytes,
    checkpoint_bytes: status.checkpointBytes,
    jobs: statsToJson(status.jobCounts),
    queue_wait_seconds: status.queueWaitMs / 1000,
    connections_in_use: status.connectionsInUse,
    archive_store: storeToJson(status.archiveStore),
    settings: settingsToJson(status.settings),
    last_backup: backupToJson(status.lastBackup),
  }
}

function storeToJson(store: ServiceStatus['archiveStore']): ServiceStatusJson['archive_store'] {
  return store === null ? null : { waiting_uploads: store.waitingUploads, trouble: store.trouble }
}

function backupToJson(backup: ServiceStatus['lastBackup']): ServiceStatusJson['last_backup'] {
  return backup === null ? null : { completed_at: iso(backup.at), size: backup.sizeBytes }
}

/** Without directories, files and the address of the archive store, and without the metrics token. */
function settingsToJson(config: Config): ServiceStatusJson['settings'] {
  return {
    listen: formatHostPort(config.listen.hostname, config.listen.port),
    archive_store_proxy: config.archiveStoreProxy,
    base_url: config.baseUrl,
    allow_network: [...config.allowNetworks],
    jobs: config.jobs,
    connections: config.connections,
    host_connections: config.hostConnections,
    rate_limit: config.rateLimit,
    trust_proxy: [...config.trustProxies],
    keep_details: config.keepDetails,
    log_format: logFormatOf(config),
    log_level: config.logLevel,
    plans: { free: planToJson(config.plans.free), pro: planToJson(config.plans.pro) },
  }
}

function planToJson(plan: Plan): ServiceStatusJson['settings']['plans']['free'] {
  return { ...limitsToJson(plan), quota_gb_days: plan.quotaGbDays }
}
