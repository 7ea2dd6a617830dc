import { A } from '@solidjs/router'
import { For, type ParentProps, Show } from 'solid-js'
import type { Job } from '../api/types.ts'
import { countOf, formatCount, formatDateTime, formatDuration, formatFullDateTime } from '../base/format.ts'
import styles from './archive-details.module.css'

/** The dates, settings and metadata of an archive. */
export function ArchiveDetails(props: { job: Job; now: number }) {
  return (
    <>
      <dl class={styles.details}>
        <Detail name="Links">{formatCount(props.job.url_count)}</Detail>
        <Detail name="Created">
          <DateTime iso={props.job.created_at} now={props.now} />
        </Detail>
        <Show when={props.job.completed_at}>
          {(completedAt) => (
            <Detail name="Ready">
              <DateTime iso={completedAt()} now={props.now} />
              <span class={styles.hint}>
                after {formatElapsed(Date.parse(completedAt()) - Date.parse(props.job.created_at))}
              </span>
            </Detail>
          )}
        </Show>
        <Show when={props.job.base}>
          {(base) => (
            <Detail name="Made from">
              <A href={`/archives/${base().job_id}`}>An earlier archive</A>
              <span class={styles.hint}>{countOf(props.job.reused_count ?? 0, 'file')} copied</span>
            </Detail>
          )}
        </Show>
        <Detail name="If a link fails">{props.job.fail_on_url_error ? 'Stop' : 'Skip it'}</Detail>
      </dl>
      <Show when={Object.keys(props.job.metadata).length > 0}>
        <h2 class={styles.programs}>For programs</h2>
        <dl class={styles.details}>
          <For each={Object.entries(props.job.metadata)}>
            {([name, value]) => <Detail name={name}>{value}</Detail>}
          </For>
        </dl>
      </Show>
    </>
  )
}

function formatElapsed(ms: number): string {
  return ms < 1000 ? 'less than a second' : formatDuration(ms)
}

function Detail(props: ParentProps<{ name: string }>) {
  return (
    <div class={styles.detail}>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  )
}

function DateTime(props: { iso: string; now: number }) {
  return (
    <time datetime={props.iso} title={formatFullDateTime(props.iso)}>
      {formatDateTime(props.iso, props.now)}
    </time>
  )
}
