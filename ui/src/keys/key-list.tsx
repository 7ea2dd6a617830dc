import { For, Match, Switch } from 'solid-js'
import type { Polling } from '../api/polling.ts'
import type { ApiKey } from '../api/types.ts'
import { Card } from '../base/card.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { keepFocusInList } from '../base/keep-focus.ts'
import { ListError, ListSkeleton } from '../base/list-states.tsx'
import { KeyRow } from './key-row.tsx'

/** The user's keys, without the revoked ones. */
export function KeyList(props: { keys: Polling<ApiKey[]>; onRevoke: (key: ApiKey) => void }) {
  return (
    <Card ref={keepFocusInList}>
      <Switch fallback={<ListSkeleton />}>
        <Match when={props.keys.value()?.length === 0}>
          <EmptyState
            title="No keys yet"
            text="Make one above for a script, a server or another computer. Each can be revoked on its own."
          />
        </Match>
        <Match when={props.keys.value()}>
          {(keys) => (
            <ul>
              <For each={keys()}>{(key) => <KeyRow apiKey={key} onRevoke={() => props.onRevoke(key)} />}</For>
            </ul>
          )}
        </Match>
        <Match when={props.keys.error()}>
          {(error) => <ListError text={error().message} onRetry={props.keys.refresh} />}
        </Match>
      </Switch>
    </Card>
  )
}
