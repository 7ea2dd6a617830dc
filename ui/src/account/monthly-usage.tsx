import { Show } from 'solid-js'
import type { Me } from '../api/types.ts'
import { formatGbDays, formatMonth, formatPercent } from '../base/format.ts'
import { Meter } from '../base/meter.tsx'
import { accountCopy } from '../language/english/account.ts'
import styles from './monthly-usage.module.css'

/** The storage used this month, compared with the plan's quota if it has one. */
export function MonthlyUsage(props: { usage: Me['usage'] }) {
  const copy = accountCopy.usage
  return (
    <section class={styles.usage} aria-labelledby="usage">
      <h2 id="usage">{formatMonth(props.usage.month)}</h2>
      <p class={styles.figures}>
        <span class={styles.used}>{formatGbDays(props.usage.gb_days)}</span>
        <span class={styles.quota}>
          <Show when={props.usage.quota_gb_days} fallback={copy.noLimit}>
            {(quota) => <>{copy.quota(formatGbDays(quota()))}</>}
          </Show>
        </span>
      </p>
      <Show when={props.usage.quota_gb_days}>
        {(quota) => (
          <Meter
            label={copy.meter}
            fraction={props.usage.gb_days / quota()}
            warningFrom={WARNING_FROM}
            valueText={copy.meterText(formatPercent(props.usage.gb_days / quota()), formatGbDays(quota()))}
          />
        )}
      </Show>
      <p class={styles.help}>{copy.help}</p>
      <Show when={isUsedUp(props.usage)}>
        <p class={styles.full}>{copy.usedUp}</p>
      </Show>
    </section>
  )
}

function isUsedUp({ gb_days, quota_gb_days }: Me['usage']): boolean {
  return quota_gb_days !== null && gb_days >= quota_gb_days
}

/** The meter changes colour when this fraction of the quota is used. */
const WARNING_FROM = 0.8
