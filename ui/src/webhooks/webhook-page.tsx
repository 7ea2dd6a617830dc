import { useNavigate, useParams } from '@solidjs/router'
import { createSignal, Match, Show, Switch } from 'solid-js'
import type { Loaded } from '../api/load-pages.ts'
import { createPolling } from '../api/polling.ts'
import type { Delivery, WebhookWithSecret } from '../api/types.ts'
import { getWebhook, listDeliveries } from '../api/webhooks.ts'
import { announce } from '../base/announcer.tsx'
import { BackLink } from '../base/back-link.tsx'
import { ButtonLink } from '../base/button.tsx'
import { Card } from '../base/card.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { ListError, ListSkeleton } from '../base/list-states.tsx'
import { serviceNow } from '../base/now.ts'
import { useDocumentTitle } from '../base/page.tsx'
import { DeliveryList } from './delivery-list.tsx'
import { WebhookHeader } from './webhook-header.tsx'
import { WebhookSecret } from './webhook-secret.tsx'

/** The page of one webhook: its deliveries, and what the user can do with it. */
export function WebhookPage() {
  const params = useParams<{ id: string }>()
  return (
    <>
      <BackLink href="/account/webhooks">Webhooks</BackLink>
      <Show when={params.id} keyed>
        {(id) => <LoadedWebhook id={id} />}
      </Show>
    </>
  )
}

function LoadedWebhook(props: { id: string }) {
  const navigate = useNavigate()
  const [count, setCount] = createSignal(PAGE_SIZE)
  const [rotated, setRotated] = createSignal<WebhookWithSecret>()
  const loaded = createPolling(async (signal) => {
    // The webhook second: a delivery that has disabled it is never shown beside its earlier status.
    const deliveries = await listDeliveries(props.id, count(), signal)
    return { webhook: await getWebhook(props.id, signal), deliveries }
  }, refreshDelay)
  const deliveries = {
    value: () => loaded.value()?.deliveries.items,
    error: loaded.error,
    refresh: loaded.refresh,
  }
  const showMore = () => {
    setCount((count) => count + PAGE_SIZE)
    loaded.refresh()
  }
  const onDeleted = () => {
    announce('Webhook deleted')
    navigate('/account/webhooks', { replace: true })
  }
  useDocumentTitle(() => loaded.value()?.webhook.url ?? 'Webhook')

  return (
    <Switch fallback={<Placeholder />}>
      <Match when={loaded.error()?.code === 'NOT_FOUND'}>
        <EmptyState isPage title="Webhook not found" text="It may have been deleted.">
          <ButtonLink href="/account/webhooks">See your webhooks</ButtonLink>
        </EmptyState>
      </Match>
      <Match when={loaded.value()}>
        {(value) => (
          <>
            <WebhookHeader
              webhook={value().webhook}
              onRotated={setRotated}
              stopFor={loaded.stopFor}
              onDeleted={onDeleted}
            />
            <Show when={rotated()}>
              {(webhook) => (
                <WebhookSecret
                  title="New secret created"
                  secret={webhook().secret}
                  onDone={() => setRotated(undefined)}
                />
              )}
            </Show>
            <DeliveryList
              webhookId={props.id}
              source={deliveries}
              hasMore={value().deliveries.total > value().deliveries.items.length}
              onShowMore={showMore}
            />
          </>
        )}
      </Match>
      <Match when={loaded.error()}>
        {(error) => (
          <Card>
            <h1 class="visually-hidden">Webhook</h1>
            <ListError text={error().message} onRetry={loaded.refresh} />
          </Card>
        )}
      </Match>
    </Switch>
  )
}

function Placeholder() {
  return (
    <Card>
      <h1 class="visually-hidden">Webhook</h1>
      <ListSkeleton />
    </Card>
  )
}

function refreshDelay({ deliveries }: { deliveries: Loaded<Delivery> }): number {
  return deliveries.items.some(isUnderWay) ? ATTEMPT_REFRESH_MS : REFRESH_MS
}

/** Whether an attempt is being made, or is about to be. */
function isUnderWay({ next_attempt_at }: Delivery): boolean {
  return next_attempt_at !== null && Date.parse(next_attempt_at) <= serviceNow() + REFRESH_MS
}

/** While an attempt is under way, its result is asked for this often. */
const ATTEMPT_REFRESH_MS = 1_000
/** Shows new deliveries soon. */
const REFRESH_MS = 10_000
/** How many more deliveries a press of "Show more" loads. */
const PAGE_SIZE = 25
