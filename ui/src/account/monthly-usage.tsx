import { Show } from 'solid-js'
import type { Me } from '../api/types.ts'
import { formatGbDays, formatMonth, formatPercent } from '../base/format.ts'
import { Meter } from '../base/meter.tsx'
import styles from './monthly-usage.module.css'

/** The meter changes colour when this fraction of the quota is used. */
const WARNING_FROM = 0.8

/** The storage used this month, compared with the plan's quota if it has one. */
export function MonthlyUsage(props: { usage: Me['usage']; planName: string }) {
  return (
    <section class={styles.usage} aria-labelledby="usage">
      <h2 id="usage">{formatMonth(props.usage.month)}</h2>
      <p class={styles.figures}>
        <span class={styles.used}>{formatGbDays(props.usage.gb_days)}</span>
        <span class={styles.quota}>
          <Show
            when={props.usage.quota_gb_days}
            fallback={`stored. The ${props.planName} plan sets no limit.`}
          >
            {(quota) => <>of {formatGbDays(quota())}</>}
          </Show>
        </span>
      </p>
      <Show when={props.usage.quota_gb_days}>
        {(quota) => (
          <Meter
            label="Storage of this month"
            fraction={props.usage.gb_days / quota()}
            warningFrom={WARNING_FROM}
            valueText={`${formatPercent(props.usage.gb_days / quota())} of ${formatGbDays(quota())}`}
          />
        )}
      </Show>
      <p class={styles.help}>
        One gigabyte that is kept for one day makes one GB-day. On the first day of the month, counted in UTC,
        the count begins anew.
      </p>
      <Show when={isUsedUp(props.usage)}>
        <p class={styles.full}>
          The month’s storage is used up. New archives can be made next month; deleting old ones keeps them
          from adding to it.
        </p>
      </Show>
    </section>
  )
}

function isUsedUp({ gb_days, quota_gb_days }: Me['usage']): boolean {
  return quota_gb_days !== null && gb_days >= quota_gb_days
}
