import { createUniqueId, For, type JSX, Match, Switch } from 'solid-js'
import { Card } from './card.tsx'
import { keepFocusInList } from './keep-focus.ts'
import styles from './list-section.module.css'
import { ListError, ListSkeleton } from './list-states.tsx'
import { messageOf } from './message.ts'

export interface ListSectionProps<T> {
  title: string
  /** Where the list comes from. A `Polling` is one. */
  source: {
    /** Undefined until the list is loaded. */
    value(): readonly T[] | undefined
    error(): Error | null
    refresh(): void
  }
  /** Shown when the list has no items. */
  empty: JSX.Element
  /** Stands beside the title. */
  aside?: JSX.Element
  /** Renders an item. */
  children: (item: T) => JSX.Element
}

/** A titled list in a card, and what stands in its place while it loads, when it is empty and when it can't be loaded. */
export function ListSection<T>(props: ListSectionProps<T>) {
  const id = createUniqueId()
  return (
    <section class={styles.section} aria-labelledby={id}>
      <div class={styles.header}>
        <h2 id={id}>{props.title}</h2>
        {props.aside}
      </div>
      <Card ref={keepFocusInList}>
        <Switch fallback={<ListSkeleton />}>
          <Match when={props.source.value()?.length === 0}>{props.empty}</Match>
          <Match when={props.source.value()}>
            {(items) => (
              <ul>
                <For each={items()}>{(item) => props.children(item)}</For>
              </ul>
            )}
          </Match>
          <Match when={props.source.error()}>
            {(error) => <ListError message={messageOf(error())} onRetry={() => props.source.refresh()} />}
          </Match>
        </Switch>
      </Card>
    </section>
  )
}
