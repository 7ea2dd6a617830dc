import type { Plan } from '../../accounts/plan.ts'
import type { ServiceStatus } from '../../admin/service-status.ts'
import type { Config } from '../../config/config.ts'
import { mailServerAddress } from '../../config/mail-server.ts'
import { proxyAddress } from '../../fetching/proxies/proxy.ts'
import { logFormatOf } from '../../logging/log.ts'
import { formatHostPort } from '../../text/host-port.ts'
import { VERSION } from '../../version.ts'
import { statsToJson } from '../jobs/json.ts'
import { iso } from '../json.ts'
import { limitsToJson } from '../users/json.ts'
import type { ServiceStatusJson } from './schemas.ts'

export function statusToJson(status: ServiceStatus): ServiceStatusJson {
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

/** Without directories, files and the address of the archive store, and without the metrics token and the
 * passwords of the proxy and the mail server. */
function settingsToJson(config: Config): ServiceStatusJson['settings'] {
  return {
    listen: formatHostPort(config.listen.hostname, config.listen.port),
    archive_store_proxy: config.archiveStoreProxy,
    base_url: config.baseUrl,
    allow_network: [...config.allowNetworks],
    jobs: config.jobs,
    connections: config.connections,
    host_connections: config.hostConnections,
    proxy: config.proxy === null ? null : proxyAddress(config.proxy),
    no_proxy: config.noProxy,
    ca: config.ca.length,
    timeout: config.timeout,
    user_agent: config.userAgent,
    limit_rate: config.limitRate,
    rate_limit: config.rateLimit,
    smtp: config.smtp === null ? null : mailServerAddress(config.smtp),
    trust_proxy: [...config.trustProxies],
    keep_details: config.keepDetails,
    log_format: logFormatOf(config),
    log_level: config.logLevel,
    plans: { free: planToJson(config.plans.free), pro: planToJson(config.plans.pro) },
  }
}

/** The limits of a plan, as the file of `--plans` names them. */
export function planToJson(plan: Plan): ServiceStatusJson['settings']['plans']['free'] {
  return { ...limitsToJson(plan), quota_gb_days: plan.quotaGbDays, max_database_bytes: plan.maxDatabaseBytes }
}
