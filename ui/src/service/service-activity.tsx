import type { ServiceStatus } from '../api/types.ts'
import { Fact, Facts } from '../base/facts.tsx'
import { formatCount, formatDuration } from '../base/format.ts'

/** The archives of all users by state, and what the service is busy with. */
export function ServiceActivity(props: { status: ServiceStatus }) {
  return (
    <section aria-labelledby="activity">
      <h2 id="activity">Archives</h2>
      <Facts>
        <Fact name="Running">
          {formatCount(props.status.jobs.processing)} of {formatCount(props.status.settings.jobs)} at once
        </Fact>
        <Fact name="Waiting">{formatCount(props.status.jobs.pending)}</Fact>
        <Fact name="Longest wait">
          {props.status.queue_wait_seconds === 0
            ? 'None'
            : formatDuration(props.status.queue_wait_seconds * 1000)}
        </Fact>
        <Fact name="Connections">
          {formatCount(props.status.connections_in_use)} of {formatCount(props.status.settings.connections)}
        </Fact>
        <Fact name="Ready">{formatCount(props.status.jobs.completed)}</Fact>
        <Fact name="Failed">{formatCount(props.status.jobs.failed - props.status.jobs.cancelled)}</Fact>
        <Fact name="Cancelled">{formatCount(props.status.jobs.cancelled)}</Fact>
      </Facts>
    </section>
  )
}
