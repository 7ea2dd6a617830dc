import { Show } from 'solid-js'
import type { Me } from '../api/types.ts'
import { formatGbDays, formatMonth, formatPercent } from '../base/format.ts'
import { Meter } from '../base/meter.tsx'
import styles from './monthly-usage.module.css'

/** The storage used this month, compared with the plan's quota if it has one. */
export function MonthlyUsage(props: { usage: Me['usage'] }) {
  return (
    <section class={styles.usage} aria-labelledby="usage">
      <h2 id="usage">{formatMonth(props.usage.month)}</h2>
      <p class={styles.figures}>
        <span class={styles.used}>{formatGbDays(props.usage.gb_days)}</span>
        <span class={styles.quota}>
          <Show when={props.usage.quota_gb_days} fallback="used (no limit)">
            {(quota) => <>of {formatGbDays(quota())}</>}
          </Show>
        </span>
      </p>
      <Show when={props.usage.quota_gb_days}>
        {(quota) => (
          <Meter
            label="Storage this month"
            fraction={props.usage.gb_days / quota()}
            warningFrom={WARNING_FROM}
            valueText={`${formatPercent(props.usage.gb_days / quota())} of ${formatGbDays(quota())}`}
          />
        )}
      </Show>
      <p class={styles.help}>
        One gigabyte stored for one day is one GB-day. The count resets on the 1st (UTC).
      </p>
      <Show when={isUsedUp(props.usage)}>
        <p class={styles.full}>
          You’ve used this month’s storage. You can create archives again next month. Deleting archives stops
          them counting.
        </p>
      </Show>
    </section>
  )
}

function isUsedUp({ gb_days, quota_gb_days }: Me['usage']): boolean {
  return quota_gb_days !== null && gb_days >= quota_gb_days
}

/** The meter changes colour when this fraction of the quota is used. */
const WARNING_FROM = 0.8
