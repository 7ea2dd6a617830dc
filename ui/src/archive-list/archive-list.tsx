import { createEffect, createMemo, createUniqueId, For, type JSX, Match, Switch } from 'solid-js'
import { Card } from '../base/card.tsx'
import { keepFocusInList } from '../base/keep-focus.ts'
import { createListFocus } from '../base/list-focus.ts'
import { ListError, ListSkeleton } from '../base/list-states.tsx'
import { messageOf } from '../base/message.ts'
import { CurrentRowProvider } from '../base/row-focus.ts'
import { baseCopy } from '../language/english/base.ts'
import { pendingDeletions } from './archive-actions.ts'
import { ArchiveRow } from './archive-row.tsx'
import type { LiveList } from './live-list.ts'
import type { ArchiveSelection } from './selection.ts'

export interface ArchiveListProps {
  list: LiveList
  /** The maximum number of rows. */
  maxRows?: number
  selection?: ArchiveSelection
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
  let rows: HTMLUListElement | undefined
  const hintId = createUniqueId()
  /** Of the rows that are loaded: at the last of them, the list grows. */
  const rowFocus = createListFocus({ items: () => shown() ?? [], keyOf: ({ id }) => id, list: () => rows })
  /** A menu has keys of its own, and its button opens it with Up and Down. */
  function onKeyDown(event: KeyboardEvent) {
    const { key, target } = event
    if (!(target instanceof Element) || target.closest('[role="menu"]') !== null) return
    if (/^Arrow(?:Up|Down)$/.test(key) && target.matches('[aria-haspopup="menu"]')) return
    rowFocus.onKeyDown(event)
  }
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
            <>
              <ul ref={rows} aria-describedby={hintId} on:keydown={onKeyDown}>
                <For each={jobs()}>
                  {(job, index) => (
                    <CurrentRowProvider value={() => index() === rowFocus.current()}>
                      <ArchiveRow
                        job={job}
                        selection={props.selection}
                        onFocus={() => rowFocus.enter(job.id)}
                      />
                    </CurrentRowProvider>
                  )}
                </For>
              </ul>
              <p id={hintId} class="visually-hidden">
                {baseCopy.rowKeys}
              </p>
            </>
          )}
        </Match>
        <Match when={props.list.error()}>
          {(error) => <ListError message={messageOf(error())} onRetry={props.list.reload} />}
        </Match>
      </Switch>
    </Card>
  )
}
