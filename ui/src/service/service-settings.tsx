import { For } from 'solid-js'
import { PLAN_LABELS } from '../api/plan-labels.ts'
import type { Plan, ServiceStatus } from '../api/types.ts'
import { Fact, Facts } from '../base/facts.tsx'
import { countOf, formatBytes, formatCount, formatDuration, formatGbDays } from '../base/format.ts'
import styles from './service-settings.module.css'

type Settings = ServiceStatus['settings']

/** The settings with which the service was started, by their flags, and the limits of the plans. */
export function ServiceSettings(props: { settings: Settings }) {
  return (
    <section class={styles.settings} aria-labelledby="settings">
      <div>
        <h2 id="settings">Settings</h2>
        <p class={styles.lead}>They are set when Holdall starts.</p>
      </div>
      <Facts>
        <For each={flagsOf(props.settings)}>
          {([flag, value]) => <Fact name={<code>--{flag}</code>}>{value}</Fact>}
        </For>
      </Facts>
      <For each={PLANS}>
        {(plan) => (
          <div>
            <h3 class={styles.plan}>{PLAN_LABELS[plan]} plan</h3>
            <Facts>
              <For each={limitsOf(props.settings.plans[plan])}>
                {([name, value]) => <Fact name={name}>{value}</Fact>}
              </For>
            </Facts>
          </div>
        )}
      </For>
    </section>
  )
}

function flagsOf(settings: Settings): [flag: string, value: string][] {
  const { rate_limit: perMinute } = settings
  return [
    ['listen', settings.listen],
    ['base-url', settings.base_url ?? 'The address of each request'],
    ['allow-network', settings.allow_network.join(', ') || 'None'],
    ['trust-proxy', settings.trust_proxy.join(', ') || 'None'],
    ['jobs', `${formatCount(settings.jobs)} at once`],
    ['connections', formatCount(settings.connections)],
    ['host-connections', `${formatCount(settings.host_connections)} per host`],
    ['proxy', settings.proxy ?? 'None'],
    ['no-proxy', settings.no_proxy ?? 'None'],
    ['ca', settings.ca === 0 ? 'None' : countOf(settings.ca, 'certificate')],
    ['timeout', countOf(settings.timeout, 'second')],
    ['user-agent', settings.user_agent],
    [
      'limit-rate',
      settings.limit_rate === null ? 'No limit' : `${formatBytes(settings.limit_rate)} per second`,
    ],
    ['rate-limit', perMinute === 0 ? 'No limit' : `${formatCount(perMinute)} requests per minute and key`],
    ['keep-details', countOf(settings.keep_details, 'day')],
    ['log-format', settings.log_format],
    ['log-level', settings.log_level],
  ]
}

function limitsOf(plan: Settings['plans'][Plan]): [name: string, value: string][] {
  return [
    ['Links per archive', formatCount(plan.max_urls)],
    ['Archive size', formatBytes(plan.max_zip_bytes)],
    [
      'Retention',
      `${formatDuration(plan.min_retention_seconds * 1000)} to ${formatDuration(plan.max_retention_seconds * 1000)}`,
    ],
    ['Storage per month', plan.quota_gb_days === null ? 'No limit' : formatGbDays(plan.quota_gb_days)],
  ]
}

const PLANS: readonly Plan[] = ['free', 'pro']
