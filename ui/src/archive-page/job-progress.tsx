import { createMemo, Show } from 'solid-js'
import type { Job } from '../api/types.ts'
import { doneFraction } from '../archive-list/archive-state.ts'
import {
  formatApproximateDuration,
  formatBytes,
  formatCount,
  formatPercent,
  formatSpeed,
} from '../base/format.ts'
import { ProgressBar } from '../base/progress-bar.tsx'
import { archivePageCopy } from '../language/english/archive-page.ts'
import { baseCopy } from '../language/english/base.ts'
import styles from './job-progress.module.css'
import { lastFilesOf } from './last-files.ts'
import type { LiveArchive } from './live-archive.ts'
import { SpeedChart } from './speed-chart.tsx'
import { timeLeftMs } from './time-left.ts'

/** The progress of a job: files, bytes, the progress bar, the speed over the last minute, and the time left. */
export function JobProgress(props: { job: Job; live: LiveArchive; waiting: boolean }) {
  const copy = archivePageCopy.progress
  const failed = () => props.live.entries.counts().failed
  const fraction = () => doneFraction(props.job)
  /** A file counts as it arrives. Once it is packed, it counts as it is in the archive. */
  const bytes = () => props.job.zip_size + props.live.entries.arrivingBytes()
  const samples = () => props.live.speed.samples()
  // Rounded here, so that the text changes only when the rounded value does.
  const lastFiles = createMemo(() => lastFilesOf(props.live.entries, samples().at(-1)?.bytesPerSecond ?? 0))
  const timeLeft = createMemo(() => {
    const leftMs = lastFiles()?.leftMs ?? timeLeftMs(samples())
    return leftMs === null || props.waiting ? null : formatApproximateDuration(leftMs)
  })
  return (
    <div class={styles.progress}>
      <p class={styles.figures}>
        <span class={styles.count}>{formatCount(props.job.file_count)}</span>{' '}
        <span class={styles.total}>{copy.of(baseCopy.files(props.job.url_count))}</span>{' '}
        <span class={styles.bytes}>{formatBytes(bytes())}</span>{' '}
        <span class={styles.chart}>
          <SpeedChart samples={samples()} />
        </span>
      </p>
      <ProgressBar
        label={copy.title}
        fraction={fraction()}
        animated={!props.waiting}
        valueText={copy.value(
          formatPercent(fraction()),
          formatCount(props.job.file_count),
          baseCopy.files(props.job.url_count),
        )}
      />
      <Show when={!props.waiting && lastFiles()}>
        {(files) => <p class={styles.lastFiles}>{files().text}</p>}
      </Show>
      <p class={styles.below}>
        <span>
          {props.waiting ? copy.waiting : formatPercent(fraction())}
          <Show when={timeLeft()}>{(timeLeft) => <> · {copy.left(timeLeft())}</>}</Show>
        </span>
        <Show when={failed() > 0}>
          <span class={styles.failed}>{copy.failed(failed())}</span>
        </Show>
        <span class={styles.speed}>
          <Show when={!props.waiting && samples().at(-1)}>
            {(sample) => <>{formatSpeed(sample().bytesPerSecond)}</>}
          </Show>
        </span>
      </p>
    </div>
  )
}
