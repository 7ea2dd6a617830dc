import { Elysia } from 'elysia'
import type { Plan } from '../accounts/plan.ts'
import type { ServiceStatus } from '../admin/service-status.ts'
import type { Config } from '../config.ts'
import { formatHostPort } from '../fetching/ip-address.ts'
import { VERSION } from '../version.ts'
import type { Authentication } from './authenticate.ts'
import { iso } from './iso-time.ts'
import { statsToJson } from './job-json.ts'
import { limitsToJson } from './me-routes.ts'
import { operation, successBody } from './operation.ts'
import { type ServiceStatusJson, serviceStatus } from './status-schemas.ts'

/** `GET /service`: the state of the service. `authentication` lets only the owner pass. */
export function statusRoutes(authentication: Authentication, status: () => ServiceStatus) {
  return new Elysia()
    .use(authentication)
    .get('/service', () => ({ success: true, service: statusToJson(status()) }), {
      detail: operation({
        tag: 'Service',
        id: 'getService',
        summary: 'Get the state of the service',
        description: 'For the owner.',
        success: {
          200: { description: 'The state.', json: successBody({ service: serviceStatus }) },
        },
        errors: ['FORBIDDEN'],
      }),
    })
}

function statusToJson(status: ServiceStatus): ServiceStatusJson {
  const { freeBytes, totalBytes, keptFreeBytes } = status.disk
  return {
    version: VERSION,
    started_at: iso(status.startedAt),
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
    log_format: config.logFormat,
    log_level: config.logLevel,
    plans: { free: planToJson(config.plans.free), pro: planToJson(config.plans.pro) },
  }
}

function planToJson(plan: Plan): ServiceStatusJson['settings']['plans']['free'] {
  return { ...limitsToJson(plan), quota_gb_days: plan.quotaGbDays }
}
