import { A } from '@solidjs/router'
import { For, type ParentProps, Show } from 'solid-js'
import type { Job } from '../api/types.ts'
import { formatCount, formatDateTime, formatDuration, formatFullDateTime } from '../base/format.ts'
import { archivePageCopy } from '../language/english/archive-page.ts'
import styles from './archive-details.module.css'

const copy = archivePageCopy.details

/** The dates, settings and metadata of an archive. */
export function ArchiveDetails(props: { job: Job; now: number }) {
  return (
    <>
      <dl class={styles.details}>
        <Detail name={copy.links}>{formatCount(props.job.url_count)}</Detail>
        <Detail name={copy.created}>
          <DateTime iso={props.job.created_at} now={props.now} />
        </Detail>
        <Show when={props.job.completed_at}>
          {(completedAt) => (
            <Detail name={copy.ready}>
              <DateTime iso={completedAt()} now={props.now} />
              <span class={styles.hint}>
                {afterText(Date.parse(completedAt()) - Date.parse(props.job.created_at))}
              </span>
            </Detail>
          )}
        </Show>
        <Show when={props.job.base}>
          {(base) => (
            <Detail name={copy.base}>
              <A href={`/archives/${base().job_id}`}>{copy.earlierArchive}</A>
              <span class={styles.hint}>{copy.copied(props.job.reused_count ?? 0)}</span>
            </Detail>
          )}
        </Show>
        <Detail name={copy.onFailure}>{props.job.fail_on_url_error ? copy.stop : copy.skip}</Detail>
      </dl>
      <Show when={Object.keys(props.job.metadata).length > 0}>
        <h2 class={styles.programs}>{copy.forPrograms}</h2>
        <dl class={styles.details}>
          <For each={Object.entries(props.job.metadata)}>
            {([name, value]) => <Detail name={name}>{value}</Detail>}
          </For>
        </dl>
      </Show>
    </>
  )
}

function afterText(ms: number): string {
  return ms < 1000 ? copy.afterInstant : copy.after(formatDuration(ms))
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
