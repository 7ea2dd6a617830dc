import type { Me } from '../api/types.ts'
import { Fact, Facts } from '../base/facts.tsx'
import { countOf, formatBytes, formatDuration, formatGbDays } from '../base/format.ts'

export function PlanLimits(props: { me: Me; planName: string }) {
  return (
    <section aria-labelledby="plan">
      <h2 id="plan">{props.planName} plan limits</h2>
      <Facts>
        <Fact name="Links per archive">{countOf(props.me.limits.max_urls, 'link')}</Fact>
        <Fact name="Archive size">{formatBytes(props.me.limits.max_zip_bytes)}</Fact>
        <Fact name="Retention">
          {formatDuration(props.me.limits.min_retention_seconds * 1000)} to{' '}
          {formatDuration(props.me.limits.max_retention_seconds * 1000)}
        </Fact>
        <Fact name="Storage per month">
          {props.me.usage.quota_gb_days === null ? 'No limit' : formatGbDays(props.me.usage.quota_gb_days)}
        </Fact>
      </Facts>
    </section>
  )
}
