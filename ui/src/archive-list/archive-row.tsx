import { A } from '@solidjs/router'
import Download from 'lucide-solid/icons/download'
import { createMemo, Show } from 'solid-js'
import type { JobListItem } from '../api/types.ts'
import { IconButton } from '../base/button.tsx'
import { countOf, formatBytes, formatCount, formatDateTime, formatFullDateTime } from '../base/format.ts'
import { useNow } from '../base/now.ts'
import { download } from './archive-actions.ts'
import { ArchiveMenu } from './archive-menu.tsx'
import styles from './archive-row.module.css'
import { archiveState, doneFraction, missingCount, STATE_LABELS } from './archive-state.ts'
import { StateIcon } from './state-icon.tsx'

/** An archive in a list. The row links to its page. */
export function ArchiveRow(props: { job: JobListItem }) {
  const now = useNow()
  const state = createMemo(() => archiveState(props.job, now()))
  return (
    <li class={styles.row}>
      <StateIcon state={state()} fraction={doneFraction(props.job)} />
      <div class={styles.text}>
        <A class={styles.name} href={`/archives/${props.job.id}`}>
          {props.job.zip_filename}
        </A>
        <p class={styles.summary}>
          <span class={styles.state} data-state={state()}>
            {STATE_LABELS[state()]}
          </span>
          <Show when={missingCount(props.job) > 0}>
            {' · '}
            <span class={styles.missing}>{formatCount(missingCount(props.job))} left out</span>
          </Show>
          {' · '}
          {summaryOf(props.job)}
        </p>
      </div>
      <time
        class={styles.time}
        datetime={props.job.created_at}
        title={`Created ${formatFullDateTime(props.job.created_at)}`}
      >
        {formatDateTime(props.job.created_at, now())}
      </time>
      <div class={styles.actions}>
        <Show when={state() === 'ready'}>
          <span class={styles.download}>
            <IconButton
              label={`Download ${props.job.zip_filename}`}
              onClick={() => void download(props.job.id)}
            >
              <Download size={20} aria-hidden="true" />
            </IconButton>
          </span>
        </Show>
        <ArchiveMenu job={props.job} state={state()} />
      </div>
    </li>
  )
}

function summaryOf(job: JobListItem): string {
  switch (job.status) {
    case 'pending':
      return countOf(job.url_count, 'link')
    case 'processing':
      return `${formatCount(job.file_count)} of ${countOf(job.url_count, 'file')} · ${formatBytes(job.zip_size)}`
    case 'completed':
      return `${countOf(job.file_count, 'file')} · ${formatBytes(job.zip_size)}`
    case 'failed':
      return job.failure?.code === 'CANCELLED' ? countOf(job.url_count, 'link') : (job.failure?.message ?? '')
  }
}
