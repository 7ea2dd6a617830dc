import { createSignal, Show } from 'solid-js'
import { listNotifiers } from '../api/notifiers.ts'
import { createPolling } from '../api/polling.ts'
import type { NewNotifier } from '../api/types.ts'
import { announce } from '../base/announcer.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { ListSection } from '../base/list-section.tsx'
import { PageHeader } from '../base/page.tsx'
import { notificationsCopy as copy } from '../language/english/notifications.ts'
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
    else announce(copy.added)
    loaded.refresh()
  }
  return (
    <>
      <PageHeader title={copy.title} lead={copy.lead} />
      <Show
        when={secret()}
        fallback={
          <Show when={loaded.value()}>
            {(value) => <NewNotifierForm kinds={value().kinds} onCreated={onCreated} />}
          </Show>
        }
      >
        {(shown) => (
          <WebhookSecret title={copy.webhookAdded} secret={shown()} onDone={() => setSecret(undefined)} />
        )}
      </Show>
      <ListSection
        title={copy.places}
        source={notifiers}
        empty={<EmptyState title={copy.none} text={copy.noneText} />}
        aside={
          <a href="/docs/reference/notifiers" hreflang="en" target="_blank" rel="noopener">
            {copy.reference}
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
