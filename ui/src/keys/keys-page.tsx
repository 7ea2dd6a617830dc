import { createSignal, Show } from 'solid-js'
import { listKeys } from '../api/keys.ts'
import { createPolling, type Polling } from '../api/polling.ts'
import type { ApiKey, NewApiKey } from '../api/types.ts'
import { announce } from '../base/announcer.tsx'
import { Card } from '../base/card.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { ListSection, type ListSectionProps } from '../base/list-section.tsx'
import { PageHeader } from '../base/page.tsx'
import { CreatedKey } from './created-key.tsx'
import { KeyRow } from './key-row.tsx'
import { NewKeyForm } from './new-key-form.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'

/** The page of API keys, with which programs use Holdall on the user's behalf, and of the browsers that are signed in. */
export function KeysPage() {
  const keys = createPolling(listKeys, () => REFRESH_MS)
  const [created, setCreated] = createSignal<NewApiKey>()
  const [hasCreated, setHasCreated] = createSignal(false)
  const [keyToRevoke, setKeyToRevoke] = createSignal<ApiKey>()

  const onCreated = (key: NewApiKey) => {
    setCreated(key)
    setHasCreated(true)
    keys.refresh()
  }
  const onRevoked = (key: ApiKey) => {
    announce(key.is_browser ? 'Browser signed out' : `${key.name} revoked`)
    if (created()?.id === key.id) setCreated(undefined)
    // The user may be about to revoke another key already.
    setKeyToRevoke((current) => (current?.id === key.id ? undefined : current))
    keys.refresh()
  }

  return (
    <>
      <PageHeader title="API keys" lead="API keys let programs use Holdall on your behalf." />
      <Show when={created()} fallback={<NewKeyForm autoFocusName={hasCreated()} onCreated={onCreated} />}>
        {(key) => (
          <Card isPadded>
            <CreatedKey created={key()} onDone={() => setCreated(undefined)} />
          </Card>
        )}
      </Show>
      <ListSection
        title="Your keys"
        source={only(keys, false)}
        empty={
          <EmptyState
            title="No keys yet"
            text="Create one above for a script, a server or another computer. Revoke each separately."
          />
        }
        aside={
          <a href="/docs" target="_blank" rel="noopener">
            API reference
          </a>
        }
      >
        {(key) => <KeyRow apiKey={key} onRevoke={() => setKeyToRevoke(key)} />}
      </ListSection>
      <ListSection
        title="Signed-in browsers"
        source={only(keys, true)}
        empty={
          <EmptyState
            title="No signed-in browsers"
            text="Browsers that sign in by a link are listed here. They are signed out after 30 days without use."
          />
        }
      >
        {(key) => <KeyRow apiKey={key} onRevoke={() => setKeyToRevoke(key)} />}
      </ListSection>
      <RevokeDialog apiKey={keyToRevoke()} onRevoked={onRevoked} onClose={() => setKeyToRevoke(undefined)} />
    </>
  )
}

/** The keys of browsers, or the others. */
function only(keys: Polling<ApiKey[]>, isBrowser: boolean): ListSectionProps<ApiKey>['source'] {
  return {
    value: () => keys.value()?.filter(({ is_browser }) => is_browser === isBrowser),
    error: keys.error,
    refresh: keys.refresh,
  }
}

/** Keeps "last used" up to date. */
const REFRESH_MS = 10_000
