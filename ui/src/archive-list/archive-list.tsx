import { createEffect, createMemo, For, type JSX, Match, Switch } from 'solid-js'
import { Card } from '../base/card.tsx'
import { keepFocusInList } from '../base/keep-focus.ts'
import { ListError, ListSkeleton } from '../base/list-states.tsx'
import { messageOf } from '../base/message.ts'
import { pendingDeletions } from './archive-actions.ts'
import { ArchiveRow } from './archive-row.tsx'
import type { LiveList } from './live-list.ts'
import type { Selection } from './selection.ts'

export interface ArchiveListProps {
  list: LiveList
  /** The maximum number of rows. */
  maxRows?: number
  selection?: Selection
  /** Shown when there are no archives. */
  empty: JSX.Element
}

/** A list of archives. All rows have the same height, so that nothing shifts when a row changes. */
export function ArchiveList(props: ArchiveListProps) {
  const shown = createMemo(() =>
    props.list
      .jobs()
      ?.filter((job) => !pendingDeletions().has(job.id))
      .slice(0, props.maxRows),
  )
  // Older archives take the places of deleted ones.
  createEffect(() => {
    const isFull = (shown()?.length ?? 0) >= (props.maxRows ?? 0)
    if (!isFull && !props.list.isLoading() && props.list.error() === null) props.list.loadMore()
  })
  return (
    <Card ref={keepFocusInList}>
      <Switch fallback={<ListSkeleton />}>
        <Match when={shown()?.length === 0 && !props.list.hasMore()}>{props.empty}</Match>
        <Match when={shown()}>
          {(jobs) => (
            <ul>
              <For each={jobs()}>{(job) => <ArchiveRow job={job} selection={props.selection} />}</For>
            </ul>
          )}
        </Match>
        <Match when={props.list.error()}>
          {(error) => <ListError message={messageOf(error())} onRetry={props.list.reload} />}
        </Match>
      </Switch>
    </Card>
  )
}
