import { createMemo, For, Match, Switch } from 'solid-js'
import type { JobList } from '../api/jobs.ts'
import type { Polled } from '../api/polled.ts'
import { Card } from '../base/card.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { ListError, ListSkeleton } from '../base/list-states.tsx'
import { leaving } from './actions.ts'
import { ArchiveRow } from './archive-row.tsx'

export interface ArchiveListProps {
  jobs: Polled<JobList>
  most: number
  emptyTitle: string
  emptyText: string
}

/** Archives in rows of one height, so that nothing moves while they come, change and go. */
export function ArchiveList(props: ArchiveListProps) {
  const shown = createMemo(() =>
    props.jobs
      .value()
      ?.jobs.filter((job) => !leaving().has(job.id))
      .slice(0, props.most),
  )
  return (
    <Card>
      <Switch fallback={<ListSkeleton />}>
        <Match when={shown()?.length === 0}>
          <EmptyState title={props.emptyTitle} text={props.emptyText} />
        </Match>
        <Match when={shown()}>
          {(jobs) => (
            <ul>
              <For each={jobs()}>{(job) => <ArchiveRow job={job} onChanged={props.jobs.refresh} />}</For>
            </ul>
          )}
        </Match>
        <Match when={props.jobs.error()}>
          {(error) => <ListError text={error().message} onRetry={props.jobs.refresh} />}
        </Match>
      </Switch>
    </Card>
  )
}
