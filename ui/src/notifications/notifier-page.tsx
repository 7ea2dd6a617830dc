import { useNavigate, useParams } from '@solidjs/router'
import { createSignal, Match, Show, Switch } from 'solid-js'
import type { Loaded } from '../api/load-pages.ts'
import { getNotifier, listDeliveries } from '../api/notifiers.ts'
import { createPolling } from '../api/polling.ts'
import type { Delivery, WebhookWithSecret } from '../api/types.ts'
import { announce } from '../base/announcer.tsx'
import { BackLink } from '../base/back-link.tsx'
import { ButtonLink } from '../base/button-link.tsx'
import { Card } from '../base/card.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { ListError, ListSkeleton } from '../base/list-states.tsx'
import { messageOf } from '../base/message.ts'
import { serviceNow } from '../base/now.ts'
import { useDocumentTitle } from '../base/page.tsx'
import { notificationsCopy } from '../language/english/notifications.ts'
import { DeliveryList } from './delivery-list.tsx'
import { NotifierHeader } from './notifier-header.tsx'
import { targetOf } from './notifier-kinds.ts'
import { WebhookSecret } from './webhook-secret.tsx'

const copy = notificationsCopy.page

/** The page of one notifier: its deliveries, and what the user can do with it. */
export function NotifierPage() {
  const params = useParams<{ id: string }>()
  return (
    <>
      <BackLink href="/account/notifications">{notificationsCopy.title}</BackLink>
      <Show when={params.id} keyed>
        {(id) => <LoadedNotifier id={id} />}
      </Show>
    </>
  )
}

function LoadedNotifier(props: { id: string }) {
  const navigate = useNavigate()
  const [count, setCount] = createSignal(PAGE_SIZE)
  const [rotated, setRotated] = createSignal<WebhookWithSecret>()
  const loaded = createPolling(async (signal) => {
    // The notifier second: a delivery that has disabled it is never shown beside its earlier status.
    const deliveries = await listDeliveries(props.id, count(), signal)
    return { notifier: await getNotifier(props.id, signal), deliveries }
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
    announce(copy.deleted)
    navigate('/account/notifications', { replace: true })
  }
  useDocumentTitle(() => {
    const notifier = loaded.value()?.notifier
    return notifier === undefined ? copy.title : targetOf(notifier)
  })

  return (
    <Switch fallback={<Placeholder />}>
      <Match when={loaded.error()?.code === 'NOT_FOUND'}>
        <EmptyState isPage title={copy.notFound} text={copy.notFoundText}>
          <ButtonLink href="/account/notifications">{copy.seeYours}</ButtonLink>
        </EmptyState>
      </Match>
      <Match when={loaded.value()}>
        {(value) => (
          <>
            <NotifierHeader
              notifier={value().notifier}
              onChanged={loaded.refresh}
              onRotated={setRotated}
              stopFor={loaded.stopFor}
              onDeleted={onDeleted}
            />
            <Show when={rotated()}>
              {(webhook) => (
                <WebhookSecret
                  title={copy.newSecret}
                  secret={webhook().secret}
                  onDone={() => setRotated(undefined)}
                />
              )}
            </Show>
            <DeliveryList
              notifierId={props.id}
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
            <h1 class="visually-hidden">{copy.title}</h1>
            <ListError message={messageOf(error())} onRetry={loaded.refresh} />
          </Card>
        )}
      </Match>
    </Switch>
  )
}

function Placeholder() {
  return (
    <Card>
      <h1 class="visually-hidden">{copy.title}</h1>
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
