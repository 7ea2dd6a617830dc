import { createSignal, Show } from 'solid-js'
import { listNotifiers } from '../api/notifiers.ts'
import { createPolling } from '../api/polling.ts'
import type { NewNotifier } from '../api/types.ts'
import { announce } from '../base/announcer.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { ListSection } from '../base/list-section.tsx'
import { PageHeader } from '../base/page.tsx'
import { NewNotifierForm } from './new-notifier-form.tsx'
import { NotifierRow } from './notifier-row.tsx'
import { WebhookSecret } from './webhook-secret.tsx'

/** The page of notifiers, which tell people and other programs that an archive is ready or has failed. */
export function NotificationsPage() {
  const loaded = createPolling(listNotifiers, () => REFRESH_MS)
  const notifiers = {
    value: () => loaded.value()?.notifiers,
    error: loaded.error,
    refresh: loaded.refresh,
  }
  const [secret, setSecret] = createSignal<string>()
  const onCreated = (notifier: NewNotifier) => {
    if (notifier.kind === 'webhook') setSecret(notifier.secret)
    else announce('Added')
    loaded.refresh()
  }
  return (
    <>
      <PageHeader
        title="Notifications"
        lead="Holdall tells you where you are when an archive is ready or has failed."
      />
      <Show
        when={secret()}
        fallback={
          <Show when={loaded.value()}>
            {(value) => <NewNotifierForm kinds={value().kinds} onCreated={onCreated} />}
          </Show>
        }
      >
        {(shown) => (
          <WebhookSecret title="Webhook added" secret={shown()} onDone={() => setSecret(undefined)} />
        )}
      </Show>
      <ListSection
        title="Where you are told"
        source={notifiers}
        empty={
          <EmptyState title="Nowhere yet" text="Add a place above, and test it before you rely on it." />
        }
        aside={
          <a href="/docs/reference/notifiers" hreflang="en" target="_blank" rel="noopener">
            API reference
          </a>
        }
      >
        {(notifier) => <NotifierRow notifier={notifier} onTested={loaded.refresh} />}
      </ListSection>
    </>
  )
}

/** Shows soon when a notifier was disabled. */
const REFRESH_MS = 10_000
