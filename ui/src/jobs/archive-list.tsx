import { For, Match, Show, Switch } from 'solid-js'
import type { JobItem } from '../api/jobs.ts'
import { Notice } from '../base/notice.tsx'
import { ArchiveRow } from './archive-row.tsx'

/** Archives, or why there are none to see. Rows have one height, so that nothing jumps when they come. */
export function ArchiveList(props: {
  /** Undefined while the first answer is awaited. */
  jobs: readonly JobItem[] | undefined
  error: Error | undefined
  /** Rows to keep room for meanwhile. */
  rows: number
  empty: string
}) {
  return (
    <Switch>
      <Match when={props.error && props.jobs === undefined}>
        <Notice kind="problem">{props.error?.message}</Notice>
      </Match>
      <Match when={props.jobs === undefined}>
        <div class="rows" aria-busy="true">
          <span class="sr-only">Loading…</span>
          <For each={Array.from({ length: props.rows })}>{() => <div class="row skeleton" />}</For>
        </div>
      </Match>
      <Match when={props.jobs?.length === 0}>
        <p class="empty-list">{props.empty}</p>
      </Match>
      <Match when={props.jobs}>
        {(jobs) => (
          <ul class="rows">
            {/* By id, so that a row that changes stays the same row, with the focus that it has. */}
            <For each={jobs().map(({ id }) => id)}>
              {(id) => (
                <Show when={jobs().find((job) => job.id === id)}>{(job) => <ArchiveRow job={job()} />}</Show>
              )}
            </For>
          </ul>
        )}
      </Match>
    </Switch>
  )
}
