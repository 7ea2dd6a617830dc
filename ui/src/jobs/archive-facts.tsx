import { Show } from 'solid-js'
import type { Job } from '../api/jobs.ts'
import { formatCount, formatDateTime } from '../base/format.ts'

/** What else is known of an archive. */
export function ArchiveFacts(props: { job: Job }) {
  return (
    <dl class="facts">
      <div>
        <dt>Created</dt>
        <dd>{formatDateTime(props.job.created_at)}</dd>
      </div>
      <Show when={props.job.completed_at}>
        {(at) => (
          <div>
            <dt>Ready since</dt>
            <dd>{formatDateTime(at())}</dd>
          </div>
        )}
      </Show>
      <Show when={props.job.expires_at}>
        {(at) => (
          <div>
            <dt>{props.job.status === 'failed' ? 'Kept until' : 'Expires'}</dt>
            <dd>{formatDateTime(at())}</dd>
          </div>
        )}
      </Show>
      <div>
        <dt>URLs</dt>
        <dd>{formatCount(props.job.url_count)}</dd>
      </div>
      <div>
        <dt>When URLs fail</dt>
        <dd>{props.job.fail_on_url_error ? 'stop' : 'go on without them'}</dd>
      </div>
    </dl>
  )
}
