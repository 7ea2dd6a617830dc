import type { ServiceStatus } from '../api/types.ts'
import { Fact, Facts } from '../base/facts.tsx'
import { formatCount, formatDuration } from '../base/format.ts'
import { serviceCopy } from '../language/english/service.ts'

const copy = serviceCopy.activity

/** The archives of all users by state, and what the service is busy with. */
export function ServiceActivity(props: { status: ServiceStatus }) {
  return (
    <section aria-labelledby="activity">
      <h2 id="activity">{copy.title}</h2>
      <Facts>
        <Fact name={copy.running}>
          {copy.runningOf(formatCount(props.status.jobs.processing), formatCount(props.status.settings.jobs))}
        </Fact>
        <Fact name={copy.waiting}>{formatCount(props.status.jobs.pending)}</Fact>
        <Fact name={copy.longestWait}>
          {props.status.queue_wait_seconds === 0
            ? copy.noWait
            : formatDuration(props.status.queue_wait_seconds * 1000)}
        </Fact>
        <Fact name={copy.connections}>
          {copy.connectionsOf(
            formatCount(props.status.connections_in_use),
            formatCount(props.status.settings.connections),
          )}
        </Fact>
        <Fact name={copy.ready}>{formatCount(props.status.jobs.completed)}</Fact>
        <Fact name={copy.failed}>{formatCount(props.status.jobs.failed - props.status.jobs.cancelled)}</Fact>
        <Fact name={copy.cancelled}>{formatCount(props.status.jobs.cancelled)}</Fact>
      </Facts>
    </section>
  )
}
