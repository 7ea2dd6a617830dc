import { For, type ParentProps, Show } from 'solid-js'
import type { Job } from '../api/types.ts'
import { formatCount, formatDuration, formatFullMoment, formatMoment } from '../base/format.ts'
import styles from './archive-facts.module.css'

/** What else is to be known of an archive. */
export function ArchiveFacts(props: { job: Job; now: number }) {
  return (
    <dl class={styles.facts}>
      <Fact name="Links">{formatCount(props.job.url_count)}</Fact>
      <Fact name="Created">
        <Moment iso={props.job.created_at} now={props.now} />
      </Fact>
      <Show when={props.job.completed_at}>
        {(completedAt) => (
          <Fact name="Finished">
            <Moment iso={completedAt()} now={props.now} />
            <span class={styles.aside}>
              after {lengthOf(Date.parse(completedAt()) - Date.parse(props.job.created_at))}
            </span>
          </Fact>
        )}
      </Show>
      <Fact name="When links fail">{props.job.fail_on_url_error ? 'Stop' : 'Go on'}</Fact>
      <For each={Object.entries(props.job.metadata)}>
        {([name, value]) => <Fact name={name}>{value}</Fact>}
      </For>
    </dl>
  )
}

function lengthOf(ms: number): string {
  return ms < 1000 ? 'less than a second' : formatDuration(ms)
}

function Fact(props: ParentProps<{ name: string }>) {
  return (
    <div class={styles.fact}>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  )
}

function Moment(props: { iso: string; now: number }) {
  return (
    <time datetime={props.iso} title={formatFullMoment(props.iso)}>
      {formatMoment(props.iso, props.now)}
    </time>
  )
}
