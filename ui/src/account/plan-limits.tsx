import type { ParentProps } from 'solid-js'
import type { Me } from '../api/types.ts'
import { countOf, formatBytes, formatDuration, formatGbDays } from '../base/format.ts'
import styles from './plan-limits.module.css'

export function PlanLimits(props: { me: Me; planName: string }) {
  return (
    <section aria-labelledby="plan">
      <h2 id="plan">What the {props.planName} plan allows</h2>
      <dl class={styles.limits}>
        <Limit name="In one archive">{countOf(props.me.limits.max_urls, 'link')}</Limit>
        <Limit name="Size of an archive">{formatBytes(props.me.limits.max_zip_bytes)}</Limit>
        <Limit name="Kept for">
          {formatDuration(props.me.limits.min_retention_seconds * 1000)} to{' '}
          {formatDuration(props.me.limits.max_retention_seconds * 1000)}
        </Limit>
        <Limit name="Storage a month">
          {props.me.usage.quota_gb_days === null ? 'No limit' : formatGbDays(props.me.usage.quota_gb_days)}
        </Limit>
      </dl>
    </section>
  )
}

function Limit(props: ParentProps<{ name: string }>) {
  return (
    <div class={styles.limit}>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  )
}
