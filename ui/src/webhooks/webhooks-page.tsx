import { A } from '@solidjs/router'
import WebhookIcon from 'lucide-solid/icons/webhook'
import { createSignal, Show } from 'solid-js'
import { createPolling } from '../api/polling.ts'
import type { Webhook, WebhookWithSecret } from '../api/types.ts'
import { listWebhooks } from '../api/webhooks.ts'
import { EmptyState } from '../base/empty-state.tsx'
import { formatDateTime, formatFullDateTime } from '../base/format.ts'
import { ListRow } from '../base/list-row.tsx'
import { ListSection } from '../base/list-section.tsx'
import { useNow } from '../base/now.ts'
import { PageHeader } from '../base/page.tsx'
import { NewWebhookForm } from './new-webhook-form.tsx'
import { eventsLabel } from './webhook-events.ts'
import { WebhookSecret } from './webhook-secret.tsx'

/** The page of webhooks, which tell other programs that an archive is ready or has failed. */
export function WebhooksPage() {
  const webhooks = createPolling(listWebhooks, () => REFRESH_MS)
  const [created, setCreated] = createSignal<WebhookWithSecret>()
  const onCreated = (webhook: WebhookWithSecret) => {
    setCreated(webhook)
    webhooks.refresh()
  }
  return (
    <>
      <PageHeader
        title="Webhooks"
        lead="Holdall sends a signed message to your URL when an archive is ready or has failed."
      />
      <Show when={created()} fallback={<NewWebhookForm onCreated={onCreated} />}>
        {(webhook) => (
          <WebhookSecret
            title="Webhook added"
            secret={webhook().secret}
            onDone={() => setCreated(undefined)}
          />
        )}
      </Show>
      <ListSection
        title="Your webhooks"
        source={webhooks}
        empty={
          <EmptyState title="No webhooks yet" text="Add one above, and test it before you rely on it." />
        }
        aside={
          <a href="/docs" target="_blank" rel="noopener">
            API reference
          </a>
        }
      >
        {(webhook) => <WebhookRow webhook={webhook} />}
      </ListSection>
    </>
  )
}

function WebhookRow(props: { webhook: Webhook }) {
  const now = useNow()
  return (
    <ListRow
      icon={WebhookIcon}
      tone={props.webhook.status === 'disabled' ? 'danger' : undefined}
      title={<A href={`/account/webhooks/${props.webhook.id}`}>{props.webhook.url}</A>}
      details={
        <>
          <Show when={props.webhook.status === 'disabled'}>
            <span data-tone="danger">Disabled</span>
          </Show>
          <span>{eventsLabel(props.webhook.events)}</span>
          <time datetime={props.webhook.created_at} title={formatFullDateTime(props.webhook.created_at)}>
            Added {formatDateTime(props.webhook.created_at, now())}
          </time>
        </>
      }
    />
  )
}

/** Shows soon when a webhook was disabled. */
const REFRESH_MS = 10_000
