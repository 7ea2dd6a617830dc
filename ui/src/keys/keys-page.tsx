import { createSignal, Show } from 'solid-js'
import { listKeys } from '../api/keys.ts'
import { createPolling } from '../api/polling.ts'
import type { ApiKey, NewApiKey } from '../api/types.ts'
import { announce } from '../base/announcer.tsx'
import { Card } from '../base/card.tsx'
import { PageHeader } from '../base/page.tsx'
import { KeyList } from './key-list.tsx'
import { KeySecret } from './key-secret.tsx'
import styles from './keys-page.module.css'
import { NewKey } from './new-key.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'

/** So that "last used" stays true. */
const REFRESH_MS = 10_000

/** The keys by which programs use Holdall in one's name. */
export function KeysPage() {
  const keys = createPolling(listKeys, () => REFRESH_MS)
  const [created, setCreated] = createSignal<NewApiKey>()
  const [hasCreated, setHasCreated] = createSignal(false)
  const [toRevoke, setToRevoke] = createSignal<ApiKey>()

  const keep = (key: NewApiKey) => {
    setCreated(key)
    setHasCreated(true)
    keys.refresh()
  }
  const revoked = () => {
    announce(`${toRevoke()?.name} is revoked`)
    if (created()?.id === toRevoke()?.id) setCreated(undefined)
    setToRevoke(undefined)
    keys.refresh()
  }

  return (
    <>
      <PageHeader title="API keys" lead="With a key, a program uses Holdall in your name." />
      <Card class={styles.card}>
        <Show when={created()} fallback={<NewKey focused={hasCreated()} onCreated={keep} />}>
          {(key) => <KeySecret created={key()} onDone={() => setCreated(undefined)} />}
        </Show>
      </Card>
      <section class={styles.list} aria-labelledby="your-keys">
        <div class={styles.head}>
          <h2 id="your-keys">Your keys</h2>
          <a href="/docs" target="_blank" rel="noopener">
            API reference
          </a>
        </div>
        <KeyList keys={keys} onRevoke={setToRevoke} />
      </section>
      <RevokeDialog apiKey={toRevoke()} onRevoked={revoked} onClose={() => setToRevoke(undefined)} />
    </>
  )
}
