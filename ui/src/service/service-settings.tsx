import { createSignal, For, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import type { LoadedSettings } from '../api/settings.ts'
import type { OwnerSettings, Plan, ServiceStatus } from '../api/types.ts'
import { Fact, Facts } from '../base/facts.tsx'
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatGbDays,
  formatRelative,
  formatSpeed,
} from '../base/format.ts'
import { useNow } from '../base/now.ts'
import { showToast } from '../base/toasts.tsx'
import { keysCopy } from '../language/english/keys.ts'
import { settingsCopy as copy } from '../language/english/settings.ts'
import { AddressCheck } from './address-check.tsx'
import styles from './service-settings.module.css'
import { ADDRESS, MAIL, NETWORKS, PROXY, planSubject, SPEED, type Subject } from './setting-subjects.ts'
import { SettingsDialog } from './settings-dialog.tsx'
import { SettingsSection } from './settings-section.tsx'

export interface ServiceSettingsProps {
  loaded: LoadedSettings
  /** Those that only a start sets are here. */
  started: ServiceStatus['settings']
  onChanged: () => void
}

/** What the owner sets while the service runs, by subject, and what only a start sets. */
export function ServiceSettings(props: ServiceSettingsProps) {
  const now = useNow()
  const [editing, setEditing] = createSignal<{ subject: Subject; loaded: LoadedSettings }>()
  const settings = () => props.loaded.settings
  const edit = (subject: Subject) => setEditing({ subject, loaded: structuredClone(unwrap(props.loaded)) })
  const saved = () => {
    showToast({ text: copy.saved })
    props.onChanged()
  }

  return (
    <section class={styles.settings} aria-labelledby="settings">
      <div>
        <h2 id="settings">{copy.title}</h2>
        <p class={styles.lead}>{copy.lead}</p>
        <Show when={settings().last_change}>
          {(change) => (
            <p class={styles.lead}>
              {copy.lastChange(formatRelative(change().at, now()), keysCopy.keyName(change().key_name))}
            </p>
          )}
        </Show>
      </div>
      <SettingsSection subject={ADDRESS} settings={settings()} onEdit={edit}>
        <Facts>
          <Fact name={copy.address.baseUrl}>{settings().base_url.value ?? copy.address.ofRequest}</Fact>
        </Facts>
        <AddressCheck baseUrl={settings().base_url.value} />
      </SettingsSection>
      <SettingsSection subject={NETWORKS} settings={settings()} onEdit={edit}>
        <Facts>
          <Fact name={copy.networks.allowed}>{settings().allow_network.value.join(', ') || copy.none}</Fact>
        </Facts>
      </SettingsSection>
      <SettingsSection subject={PROXY} settings={settings()} onEdit={edit}>
        <Facts>
          <Fact name={copy.proxy.address}>{settings().proxy.value ?? copy.none}</Fact>
          <Fact name={copy.proxy.without}>{settings().no_proxy.value ?? copy.none}</Fact>
        </Facts>
      </SettingsSection>
      <SettingsSection subject={SPEED} settings={settings()} onEdit={edit}>
        <Facts>
          <For each={speedFacts(settings())}>{([name, value]) => <Fact name={name}>{value}</Fact>}</For>
        </Facts>
      </SettingsSection>
      <SettingsSection subject={MAIL} settings={settings()} onEdit={edit}>
        <Facts>
          <Fact name={copy.mail.server}>{settings().smtp.value ?? copy.none}</Fact>
        </Facts>
      </SettingsSection>
      <For each={PLANS}>
        {({ plan, subject }) => (
          <SettingsSection subject={subject} settings={settings()} onEdit={edit}>
            <Facts>
              <For each={planFacts(settings(), plan)}>
                {([name, value]) => <Fact name={name}>{value}</Fact>}
              </For>
            </Facts>
          </SettingsSection>
        )}
      </For>
      <div>
        <h3 class={styles.subject}>{copy.start.title}</h3>
        <p class={styles.lead}>{copy.start.lead}</p>
        <Facts>
          <For each={flagsOf(props.started)}>
            {([flag, value]) => <Fact name={<code>--{flag}</code>}>{value}</Fact>}
          </For>
        </Facts>
      </div>
      <Show when={editing()} keyed>
        {({ subject, loaded }) => (
          <SettingsDialog
            subject={subject}
            loaded={loaded}
            onSaved={saved}
            onClose={() => setEditing(undefined)}
          />
        )}
      </Show>
    </section>
  )
}

type FactList = readonly (readonly [name: string, value: string])[]

function speedFacts(settings: OwnerSettings): FactList {
  const { limit_rate, jobs, connections, host_connections, rate_limit } = settings
  return [
    [copy.speed.rate, limit_rate.value === null ? copy.noLimit : formatSpeed(limit_rate.value)],
    [copy.speed.jobs, formatCount(jobs.value)],
    [copy.speed.connections, formatCount(connections.value)],
    [copy.speed.hostConnections, formatCount(host_connections.value)],
    [copy.speed.requests, rate_limit.value === 0 ? copy.noLimit : formatCount(rate_limit.value)],
  ]
}

function planFacts({ plans }: OwnerSettings, plan: Plan): FactList {
  const limits = plans.value[plan]
  const [shortest, longest] = [limits.min_retention_seconds, limits.max_retention_seconds].map((seconds) =>
    formatDuration(seconds * 1000),
  )
  return [
    [copy.plans.links, formatCount(limits.max_urls)],
    [copy.plans.size, formatBytes(limits.max_zip_bytes)],
    [copy.plans.retention, copy.plans.retentionRange(shortest ?? '', longest ?? '')],
    [copy.plans.storage, limits.quota_gb_days === null ? copy.noLimit : formatGbDays(limits.quota_gb_days)],
  ]
}

function flagsOf(settings: ServiceStatus['settings']): FactList {
  return [
    ['listen', settings.listen],
    ['trust-proxy', settings.trust_proxy.join(', ') || copy.none],
    ['ca', settings.ca === 0 ? copy.none : copy.start.certificates(settings.ca)],
    ['timeout', copy.start.seconds(settings.timeout)],
    ['user-agent', settings.user_agent],
    ['keep-details', copy.start.days(settings.keep_details)],
    ['log-format', settings.log_format],
    ['log-level', settings.log_level],
  ]
}

const PLANS = (['free', 'pro'] as const).map((plan) => ({ plan, subject: planSubject(plan) }))
