import { createSignal, Show } from 'solid-js'
import { listKeys } from '../api/keys.ts'
import { createPolling, type Polling } from '../api/polling.ts'
import type { ApiKey, NewApiKey } from '../api/types.ts'
import { announce } from '../base/announcer.tsx'
import { Card } from '../base/card.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { ListSection, type ListSectionProps } from '../base/list-section.tsx'
import { PageHeader } from '../base/page.tsx'
import { keysCopy } from '../language/english/keys.ts'
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
    announce(key.is_browser ? keysCopy.browserSignedOut : keysCopy.revoked(key.name))
    if (created()?.id === key.id) setCreated(undefined)
    // The user may be about to revoke another key already.
    setKeyToRevoke((current) => (current?.id === key.id ? undefined : current))
    keys.refresh()
  }

  return (
    <>
      <PageHeader title={keysCopy.title} lead={keysCopy.lead} />
      <Show when={created()} fallback={<NewKeyForm autoFocusName={hasCreated()} onCreated={onCreated} />}>
        {(key) => (
          <Card isPadded>
            <CreatedKey created={key()} onDone={() => setCreated(undefined)} />
          </Card>
        )}
      </Show>
      <ListSection
        title={keysCopy.yourKeys}
        source={only(keys, false)}
        empty={<EmptyState title={keysCopy.noKeys} text={keysCopy.noKeysText} />}
        aside={
          <a href="/docs" hreflang="en" target="_blank" rel="noopener">
            {keysCopy.firstCall}
          </a>
        }
      >
        {(key) => <KeyRow apiKey={key} onRevoke={() => setKeyToRevoke(key)} />}
      </ListSection>
      <ListSection
        title={keysCopy.browsers}
        source={only(keys, true)}
        empty={<EmptyState title={keysCopy.noBrowsers} text={keysCopy.noBrowsersText} />}
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
