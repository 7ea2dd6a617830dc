import { createEffect, createSignal, on, Show } from 'solid-js'
import { checkBaseUrl } from '../api/settings.ts'
import { Alert } from '../base/alert.tsx'
import { Button } from '../base/button.tsx'
import { isLocalLink } from '../base/is-local-link.ts'
import { type Message, messageOf, wordsOfService } from '../base/message.ts'
import { MessageText } from '../base/message-text.tsx'
import { settingsCopy as copy } from '../language/english/settings.ts'
import styles from './service-settings.module.css'

/** Whether others reach the service by the address in its links. Checks a new address by itself. */
export function AddressCheck(props: { baseUrl: string | null }) {
  const [result, setResult] = createSignal<{ reaches: boolean; text: Message }>()
  const [isChecking, setChecking] = createSignal(false)
  const address = () => props.baseUrl ?? location.origin

  async function check() {
    const checked = props.baseUrl
    setResult(undefined)
    if (checked === null) return
    setChecking(true)
    const found = await checkBaseUrl().then(
      ({ reaches, problem }) => ({
        reaches,
        text: problem === null ? copy.address.reaches : wordsOfService(problem),
      }),
      (error: unknown) => ({ reaches: false, text: messageOf(error) }),
    )
    if (checked !== props.baseUrl) return
    setChecking(false)
    setResult(found)
  }

  createEffect(
    on(
      () => props.baseUrl,
      () => void check(),
      { defer: true },
    ),
  )

  return (
    <div class={styles.check}>
      <Show when={isLocalLink(address())}>
        <Alert tone="warning">
          <p>{copy.address.onlyHere(address())}</p>
        </Alert>
      </Show>
      <Show when={props.baseUrl !== null}>
        <div>
          <Button disabled={isChecking()} onClick={() => void check()}>
            {isChecking() ? copy.address.checking : copy.address.check}
          </Button>
        </div>
        <Show when={result()} keyed>
          {({ reaches, text }) => (
            <Show
              when={reaches}
              fallback={
                <Alert tone="warning">
                  <MessageText message={text} />
                </Alert>
              }
            >
              <p role="status">
                <MessageText message={text} />
              </p>
            </Show>
          )}
        </Show>
      </Show>
    </div>
  )
}
