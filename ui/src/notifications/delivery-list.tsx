import { Show } from 'solid-js'
import { redeliver, testNotifier } from '../api/notifiers.ts'
import type { Delivery } from '../api/types.ts'
import { announce } from '../base/announcer.tsx'
import { Button } from '../base/button.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { ListSection, type ListSectionProps } from '../base/list-section.tsx'
import { messageOf } from '../base/message.ts'
import { ShowMore } from '../base/show-more.tsx'
import { showToast } from '../base/toasts.tsx'
import { notificationsCopy } from '../language/english/notifications.ts'
import { DeliveryRow } from './delivery-row.tsx'

const copy = notificationsCopy.deliveries

export interface DeliveryListProps {
  notifierId: string
  source: ListSectionProps<Delivery>['source']
  hasMore: boolean
  onShowMore: () => void
}

/** What was sent by a notifier in the last 30 days, and what came back. */
export function DeliveryList(props: DeliveryListProps) {
  async function send(request: Promise<unknown>) {
    try {
      await request
      announce(copy.sent)
    } catch (error) {
      showToast({ text: messageOf(error) })
    }
    props.source.refresh()
  }
  return (
    <>
      <ListSection
        title={copy.title}
        source={props.source}
        aside={<Button onClick={() => void send(testNotifier(props.notifierId))}>{copy.sendTest}</Button>}
        empty={<EmptyState title={copy.none} text={copy.noneText} />}
      >
        {(delivery) => (
          <DeliveryRow
            delivery={delivery}
            onSendAgain={() => void send(redeliver(props.notifierId, delivery.id))}
          />
        )}
      </ListSection>
      <Show when={props.hasMore}>
        <ShowMore onShowMore={props.onShowMore} />
      </Show>
    </>
  )
}
