import { A } from '@solidjs/router'
import Check from 'lucide-solid/icons/check'
import Clock from 'lucide-solid/icons/clock'
import RotateCw from 'lucide-solid/icons/rotate-cw'
import X from 'lucide-solid/icons/x'
import { Show } from 'solid-js'
import type { Delivery } from '../api/types.ts'
import { IconButton } from '../base/button.tsx'
import { countOf, formatDateTime, formatFullDateTime, formatRelative } from '../base/format.ts'
import { ListRow } from '../base/list-row.tsx'
import { useNow } from '../base/now.ts'
import { MESSAGE_LABELS } from './occasions.ts'

/** A message: whether it arrived, what the receiver answered, and when it is sent again. */
export function DeliveryRow(props: { delivery: Delivery; onSendAgain: () => void }) {
  const now = useNow()
  const label = () => MESSAGE_LABELS[props.delivery.type]
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
            {resultOf(props.delivery, now())}
          </span>
          <Show when={props.delivery.attempts > 1}>
            <span>{countOf(props.delivery.attempts, 'attempt')}</span>
          </Show>
          <time datetime={at()} title={formatFullDateTime(at())}>
            {formatDateTime(at(), now())}
          </time>
        </>
      }
    >
      <Show when={props.delivery.status !== 'pending'}>
        <IconButton label={`Send again: ${label()}`} onClick={() => props.onSendAgain()}>
          <RotateCw size={18} aria-hidden="true" />
        </IconButton>
      </Show>
    </ListRow>
  )
}

/** "Delivered (204)", "Failed: Connection refused", "HTTP 503, next attempt in 5 minutes". */
function resultOf({ status, response_status, error, next_attempt_at }: Delivery, now: number): string {
  if (status === 'delivered') return `Delivered (${response_status})`
  if (status === 'failed') return `Failed: ${error ?? 'no answer'}`
  const isDue = next_attempt_at === null || Date.parse(next_attempt_at) <= now
  const next = isDue ? 'sending' : `next attempt ${formatRelative(next_attempt_at, now)}`
  return error === null ? sentence(next) : `${error}, ${next}`
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const ICONS = { pending: Clock, delivered: Check, failed: X } as const
const TONES = { pending: 'muted', delivered: 'success', failed: 'danger' } as const
