import type { Plan } from '../../accounts/plan.ts'
import type { ServiceStatus } from '../../admin/service-status.ts'
import { type Config, SETTINGS } from '../../config/config.ts'
import { mailServerAddress } from '../../config/mail-server.ts'
import { proxyAddress } from '../../fetching/proxies/proxy.ts'
import { logFormatOf } from '../../logging/log.ts'
import { type ChangeableName, fieldOf } from '../../settings/changeable.ts'
import type { SettingChanges, Settings } from '../../settings/settings.ts'
import { formatHostPort } from '../../text/host-port.ts'
import { VERSION } from '../../version.ts'
import { statsToJson } from '../jobs/json.ts'
import { iso } from '../json.ts'
import { limitsToJson } from '../users/json.ts'
import type { ServiceStatusJson } from './schemas.ts'
import type { ChangeSettingsBody, SettingsJson } from './settings-schemas.ts'

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

/** Each setting with where its value comes from, and whether the owner may change it. */
export function settingsStateToJson({ current, lastChange, sourceOf }: Settings): SettingsJson {
  const values = settingsToJson(current)
  const changeable = <Value>(name: ChangeableName, value: Value) => {
    const source = sourceOf(name)
    const by = source === 'flag' || source === 'environment' ? nameOf(source, SETTINGS[name]) : null
    return { value, source, set_by: by, needs_code: CODES[SETTINGS[name].change.needsCode] }
  }
  return {
    base_url: changeable('baseUrl', values.base_url),
    allow_network: changeable('allowNetworks', values.allow_network),
    jobs: changeable('jobs', values.jobs),
    plans: changeable('plans', values.plans),
    connections: changeable('connections', values.connections),
    host_connections: changeable('hostConnections', values.host_connections),
    proxy: changeable('proxy', values.proxy),
    no_proxy: changeable('noProxy', values.no_proxy),
    limit_rate: changeable('limitRate', values.limit_rate),
    rate_limit: changeable('rateLimit', values.rate_limit),
    smtp: changeable('smtp', values.smtp),
    last_change:
      lastChange === null
        ? null
        : {
            at: iso(lastChange.at),
            key_name: lastChange.keyName,
            settings: lastChange.flags.map((flag) => fieldOf({ flag })),
          },
  }
}

/** What a request changes. What is missing stays as it is. */
export function toSettingChanges(body: ChangeSettingsBody): SettingChanges {
  return {
    baseUrl: body.base_url,
    allowNetworks: body.allow_network,
    jobs: body.jobs,
    plans: body.plans,
    connections: body.connections,
    hostConnections: body.host_connections,
    proxy: body.proxy,
    noProxy: body.no_proxy,
    limitRate: body.limit_rate,
    rateLimit: body.rate_limit,
    smtp: body.smtp,
  }
}

const CODES = { never: 'never', 'to set': 'to_set', always: 'always' } as const

function nameOf(source: 'flag' | 'environment', { flag, env }: { flag: string; env: string }): string {
  return source === 'flag' ? `--${flag}` : env
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
