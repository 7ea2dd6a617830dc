import { A } from '@solidjs/router'
import { createSignal, onCleanup, Show } from 'solid-js'
import { listDeliveries, testNotifier } from '../api/notifiers.ts'
import type { Delivery, Notifier } from '../api/types.ts'
import { announce } from '../base/announcer.tsx'
import { Button } from '../base/button.tsx'
import { formatDateTime, formatFullDateTime } from '../base/format.ts'
import { ListRow } from '../base/list-row.tsx'
import { type Message, messageOf } from '../base/message.ts'
import { MessageText } from '../base/message-text.tsx'
import { useNow } from '../base/now.ts'
import { STOPPED } from '../base/stopped.ts'
import { notificationsCopy } from '../language/english/notifications.ts'
import { failedMessage } from './failed-message.ts'
import { iconOf, targetOf } from './notifier-kinds.ts'
import { occasionsLabel } from './occasions.ts'

const copy = notificationsCopy.row

/** A notifier, with a button that tests it and tells the result. */
export function NotifierRow(props: { notifier: Notifier; onTested: () => void }) {
  const now = useNow()
  const target = () => targetOf(props.notifier)
  const { isTesting, result, test } = createTest(() => props.onTested())
  return (
    <ListRow
      icon={iconOf(props.notifier)}
      tone={props.notifier.status === 'disabled' ? 'danger' : undefined}
      title={<A href={`/account/notifications/${props.notifier.id}`}>{target()}</A>}
      details={
        <>
          <Show when={props.notifier.status === 'disabled'}>
            <span data-tone="danger">{copy.disabled}</span>
          </Show>
          <Show when={result()}>
            {(shown) => (
              <span data-tone={shown().isGood ? 'success' : 'danger'}>
                <MessageText message={shown().text} />
              </span>
            )}
          </Show>
          <span>{occasionsLabel(props.notifier.on)}</span>
          <time datetime={props.notifier.created_at} title={formatFullDateTime(props.notifier.created_at)}>
            {copy.added(formatDateTime(props.notifier.created_at, now()))}
          </time>
        </>
      }
    >
      <Button
        disabled={isTesting()}
        aria-label={copy.testTarget(target())}
        onClick={() => void test(props.notifier.id)}
      >
        {isTesting() ? copy.testing : copy.test}
      </Button>
    </ListRow>
  )
}

/** Sends a test, and waits for its result. */
function createTest(onTested: () => void) {
  const [isTesting, setTesting] = createSignal(false)
  const [result, setResult] = createSignal<{ text: Message; isGood: boolean }>()
  const left = new AbortController()
  onCleanup(() => left.abort(STOPPED))

  async function test(id: string) {
    setTesting(true)
    setResult(undefined)
    try {
      const { status, error } = await resultOf(id, await testNotifier(id), left.signal)
      const isGood = status === 'delivered'
      setResult({
        text: isGood ? copy.delivered : failedMessage(error, copy.failed),
        isGood,
      })
    } catch (error) {
      if (left.signal.aborted) return
      setResult({ text: messageOf(error), isGood: false })
    }
    setTesting(false)
    announce(result()?.text ?? '')
    onTested()
  }

  return { isTesting, result, test }
}

async function resultOf(id: string, delivery: Delivery, signal: AbortSignal): Promise<Delivery> {
  for (;;) {
    const { items } = await listDeliveries(id, RECENT, signal)
    const found = items.find((item) => item.id === delivery.id)
    // Another window has deleted the notifier, or many messages have followed.
    if (found === undefined) throw new Error(copy.unknown)
    if (found.status !== 'pending') return found
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** A test is among these, even when archives end meanwhile. */
const RECENT = 25
const POLL_MS = 500
