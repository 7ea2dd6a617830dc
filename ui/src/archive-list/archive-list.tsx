import { createMemo, For, type JSX, Match, Switch } from 'solid-js'
import { Card } from '../base/card.tsx'
import { ListError, ListSkeleton } from '../base/list-states.tsx'
import { leaving } from './actions.ts'
import { ArchiveRow } from './archive-row.tsx'
import type { LiveList } from './live-list.ts'

export interface ArchiveListProps {
  list: LiveList
  /** Shows no more than so many. */
  most?: number
  /** What stands in the place of archives while there are none. */
  empty: JSX.Element
}

/** Archives in rows of one height, so that nothing moves while they come, change and go. */
export function ArchiveList(props: ArchiveListProps) {
  const shown = createMemo(() =>
    props.list
      .jobs()
      ?.filter((job) => !leaving().has(job.id))
      .slice(0, props.most),
  )
  return (
    <Card>
      <Switch fallback={<ListSkeleton />}>
        <Match when={shown()?.length === 0 && !props.list.hasMore()}>{props.empty}</Match>
        <Match when={shown()}>
          {(jobs) => (
            <ul>
              <For each={jobs()}>{(job) => <ArchiveRow job={job} />}</For>
            </ul>
          )}
        </Match>
        <Match when={props.list.error()}>
          {(error) => <ListError text={error().message} onRetry={props.list.reload} />}
        </Match>
      </Switch>
    </Card>
  )
}
