import { createMemo, Show } from 'solid-js'
import type { Job } from '../api/types.ts'
import { doneFraction } from '../archive-list/archive-state.ts'
import {
  countOf,
  formatBytes,
  formatCount,
  formatPercent,
  formatRoughly,
  formatSpeed,
} from '../base/format.ts'
import { ProgressBar } from '../base/progress-bar.tsx'
import styles from './job-progress.module.css'
import type { LiveArchive } from './live-archive.ts'
import { SpeedLine } from './speed-line.tsx'
import { timeLeftMs } from './time-left.ts'

/** How far a job is and how fast: files of links, bytes, the bar, the last minute's speed, the time left. */
export function JobProgress(props: { job: Job; live: LiveArchive; waiting: boolean }) {
  const failed = () => props.live.entries.counts().failed
  const fraction = () => doneFraction(props.job, failed())
  const samples = () => props.live.speed.samples()
  // Rounded, so that the words stay the same while they are nearly true.
  const timeLeft = createMemo(() => {
    const leftMs = timeLeftMs(samples(), props.job.url_count)
    return leftMs === null || props.waiting ? null : formatRoughly(leftMs)
  })
  return (
    <div class={styles.progress}>
      <p class={styles.figures}>
        <span class={styles.count}>{formatCount(props.job.file_count)}</span>{' '}
        <span class={styles.total}>of {countOf(props.job.url_count, 'file')}</span>{' '}
        <span class={styles.bytes}>{formatBytes(props.job.zip_size)}</span>
      </p>
      <ProgressBar
        label="Progress"
        fraction={fraction()}
        moving={!props.waiting}
        valueText={`${formatCount(props.job.file_count)} of ${countOf(props.job.url_count, 'file')}`}
      />
      <p class={styles.under}>
        <span>
          {props.waiting ? 'Waiting to start' : formatPercent(fraction())}
          <Show when={timeLeft()}>{(timeLeft) => ` · about ${timeLeft()} left`}</Show>
        </span>
        <Show when={failed() > 0}>
          <span class={styles.failed}>{countOf(failed(), 'link')} failed</span>
        </Show>
        <span class={styles.speed}>
          <Show when={!props.waiting && samples().at(-1)}>
            {(sample) => formatSpeed(sample().bytesPerSecond)}
          </Show>
        </span>
      </p>
      <SpeedLine samples={samples()} />
    </div>
  )
}
