import type { Me } from '../api/types.ts'
import { Fact, Facts } from '../base/facts.tsx'
import { countOf, formatBytes, formatDuration, formatGbDays } from '../base/format.ts'

export function PlanLimits(props: { me: Me; planName: string }) {
  return (
    <section aria-labelledby="plan">
      <h2 id="plan">What the {props.planName} plan allows</h2>
      <Facts>
        <Fact name="In one archive">{countOf(props.me.limits.max_urls, 'link')}</Fact>
        <Fact name="Size of an archive">{formatBytes(props.me.limits.max_zip_bytes)}</Fact>
        <Fact name="Kept for">
          {formatDuration(props.me.limits.min_retention_seconds * 1000)} to{' '}
          {formatDuration(props.me.limits.max_retention_seconds * 1000)}
        </Fact>
        <Fact name="Storage a month">
          {props.me.usage.quota_gb_days === null ? 'No limit' : formatGbDays(props.me.usage.quota_gb_days)}
        </Fact>
      </Facts>
    </section>
  )
}
