import { Show } from 'solid-js'
import type { Job } from '../api/types.ts'
import { countOf, formatBytes, formatCount, formatPercent } from '../base/format.ts'
import { ProgressBar } from '../base/progress-bar.tsx'
import { doneFraction } from './archive-state.ts'
import styles from './job-progress.module.css'

/** How far a job is: files of links, bytes, failures, and the bar. */
export function JobProgress(props: { job: Job; waiting: boolean }) {
  const failed = () => props.job.errors?.length ?? 0
  return (
    <div class={styles.progress}>
      <p class={styles.figures}>
        <span class={styles.count}>{formatCount(props.job.file_count)}</span>
        <span class={styles.total}>of {countOf(props.job.url_count, 'file')}</span>
        <span class={styles.bytes}>{formatBytes(props.job.zip_size)}</span>
      </p>
      <ProgressBar
        label="Progress"
        fraction={doneFraction(props.job)}
        moving={!props.waiting}
        valueText={`${formatCount(props.job.file_count)} of ${countOf(props.job.url_count, 'file')}`}
      />
      <p class={styles.under}>
        <span>{props.waiting ? 'Waiting to start' : formatPercent(doneFraction(props.job))}</span>
        <Show when={failed() > 0}>
          <span class={styles.failed}>{countOf(failed(), 'link')} failed</span>
        </Show>
      </p>
    </div>
  )
}
