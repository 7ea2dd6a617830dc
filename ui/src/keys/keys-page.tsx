import { createSignal, Show } from 'solid-js'
import { listKeys } from '../api/keys.ts'
import { createPolling } from '../api/polling.ts'
import type { ApiKey, NewApiKey } from '../api/types.ts'
import { announce } from '../base/announcer.tsx'
import { Card } from '../base/card.tsx'
import { PageHeader } from '../base/page.tsx'
import { CreatedKey } from './created-key.tsx'
import { KeyList } from './key-list.tsx'
import styles from './keys-page.module.css'
import { NewKeyForm } from './new-key-form.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'

/** Keeps "last used" up to date. */
const REFRESH_MS = 10_000

/** The page of API keys, with which programs use Holdall on the user's behalf. */
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
    announce(`${key.name} is revoked`)
    if (created()?.id === key.id) setCreated(undefined)
    // The user may be about to revoke another key already.
    setKeyToRevoke((current) => (current?.id === key.id ? undefined : current))
    keys.refresh()
  }

  return (
    <>
      <PageHeader title="API keys" lead="With a key, a program uses Holdall in your name." />
      <Card class={styles.card}>
        <Show when={created()} fallback={<NewKeyForm autoFocusName={hasCreated()} onCreated={onCreated} />}>
          {(key) => <CreatedKey created={key()} onDone={() => setCreated(undefined)} />}
        </Show>
      </Card>
      <section class={styles.list} aria-labelledby="your-keys">
        <div class={styles.header}>
          <h2 id="your-keys">Your keys</h2>
          <a href="/docs" target="_blank" rel="noopener">
            API reference
          </a>
        </div>
        <KeyList keys={keys} onRevoke={setKeyToRevoke} />
      </section>
      <RevokeDialog apiKey={keyToRevoke()} onRevoked={onRevoked} onClose={() => setKeyToRevoke(undefined)} />
    </>
  )
}
