import type { Me } from '../api/types.ts'
import { Fact, Facts } from '../base/facts.tsx'
import { formatBytes, formatDuration, formatGbDays } from '../base/format.ts'
import { accountCopy } from '../language/english/account.ts'
import { baseCopy } from '../language/english/base.ts'

export function PlanLimits(props: { me: Me; planName: string }) {
  const copy = accountCopy.limits
  return (
    <section aria-labelledby="plan">
      <h2 id="plan">{copy.title(props.planName)}</h2>
      <Facts>
        <Fact name={copy.links}>{baseCopy.links(props.me.limits.max_urls)}</Fact>
        <Fact name={copy.size}>{formatBytes(props.me.limits.max_zip_bytes)}</Fact>
        <Fact name={copy.retention}>
          {copy.retentionRange(
            formatDuration(props.me.limits.min_retention_seconds * 1000),
            formatDuration(props.me.limits.max_retention_seconds * 1000),
          )}
        </Fact>
        <Fact name={copy.storage}>
          {props.me.usage.quota_gb_days === null ? copy.noLimit : formatGbDays(props.me.usage.quota_gb_days)}
        </Fact>
      </Facts>
    </section>
  )
}
