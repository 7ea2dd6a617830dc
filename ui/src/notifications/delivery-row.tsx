import { A } from '@solidjs/router'
import Check from 'lucide-solid/icons/check'
import Clock from 'lucide-solid/icons/clock'
import RotateCw from 'lucide-solid/icons/rotate-cw'
import X from 'lucide-solid/icons/x'
import { Show } from 'solid-js'
import type { Delivery } from '../api/types.ts'
import { IconButton } from '../base/button.tsx'
import { formatDateTime, formatFullDateTime, formatRelative } from '../base/format.ts'
import { ListRow } from '../base/list-row.tsx'
import { inSentence, type Message, wordsOfService } from '../base/message.ts'
import { MessageText } from '../base/message-text.tsx'
import { useNow } from '../base/now.ts'
import { notificationsCopy } from '../language/english/notifications.ts'
import { failedMessage } from './failed-message.ts'

const copy = notificationsCopy.deliveries

/** A message: whether it arrived, what the receiver answered, and when it is sent again. */
export function DeliveryRow(props: { delivery: Delivery; onSendAgain: () => void }) {
  const now = useNow()
  const label = () => copy.messages[props.delivery.type]
  const at = () => props.delivery.last_attempt_at ?? props.delivery.created_at
  return (
    <ListRow
      icon={ICONS[props.delivery.status]}
      tone={TONES[props.delivery.status]}
      title={
        <Show when={props.delivery.job_id} fallback={label()}>
          {(id) => <A href={`/archives/${id()}`}>{label()}</A>}
        </Show>
      }
      details={
        <>
          <span data-tone={props.delivery.status === 'failed' ? 'danger' : undefined}>
            <MessageText message={resultOf(props.delivery, now())} />
          </span>
          <Show when={props.delivery.attempts > 1}>
            <span>{copy.attempts(props.delivery.attempts)}</span>
          </Show>
          <time datetime={at()} title={formatFullDateTime(at())}>
            {formatDateTime(at(), now())}
          </time>
        </>
      }
    >
      <Show when={props.delivery.status !== 'pending'}>
        <IconButton label={copy.sendAgain(label())} onClick={() => props.onSendAgain()}>
          <RotateCw size={18} aria-hidden="true" />
        </IconButton>
      </Show>
    </ListRow>
  )
}

/** "Delivered (204)", "Failed: Connection refused", "HTTP 503, next attempt in 5 minutes". */
function resultOf({ status, response_status, error, next_attempt_at }: Delivery, now: number): Message {
  if (status === 'delivered') return copy.delivered(`${response_status}`)
  if (status === 'failed') return failedMessage(error, copy.failed)
  if (next_attempt_at === null || Date.parse(next_attempt_at) <= now) {
    return error === null ? copy.sending : inSentence(wordsOfService(error), copy.sendingAfter)
  }
  const inTime = formatRelative(next_attempt_at, now)
  return error === null
    ? copy.next(inTime)
    : inSentence(wordsOfService(error), (reason) => copy.nextAfter(reason, inTime))
}

const ICONS = { pending: Clock, delivered: Check, failed: X } as const
const TONES = { pending: 'muted', delivered: 'success', failed: 'danger' } as const
