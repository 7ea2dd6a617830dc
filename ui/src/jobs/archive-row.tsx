import { A } from '@solidjs/router'
import { Show } from 'solid-js'
import { isUnderWay, type JobItem } from '../api/jobs.ts'
import { formatBytes, formatCount, formatRelative, plural } from '../base/format.ts'
import { nowMs } from '../base/now.ts'
import { ProgressBar } from '../base/progress-bar.tsx'
import { StatusBadge } from './status-badge.tsx'

/** One archive in a list: what it is called, how far it is, what came of it. */
export function ArchiveRow(props: { job: JobItem }) {
  return (
    <li class="row">
      <div class="row-main">
        <A class="row-name" href={`/archives/${props.job.id}`}>
          {props.job.zip_filename}
        </A>
        <p class="row-facts">
          <span>{facts(props.job)}</span>
          <span class="muted"> · {formatRelative(props.job.created_at, nowMs())}</span>
        </p>
      </div>
      <StatusBadge status={props.job.status} />
      <Show when={isUnderWay(props.job)}>
        <ProgressBar label="Files packed" value={props.job.file_count} max={props.job.url_count} />
      </Show>
    </li>
  )
}

function facts(job: JobItem): string {
  const size = formatBytes(job.zip_size)
  switch (job.status) {
    case 'pending':
      return `${plural(job.url_count, 'URL')} waiting`
    case 'processing':
      return `${formatCount(job.file_count)} of ${plural(job.url_count, 'file')} · ${size}`
    case 'completed':
      return `${plural(job.file_count, 'file')} · ${size}`
    case 'failed':
      return job.failure?.message ?? 'It could not be finished.'
  }
}
