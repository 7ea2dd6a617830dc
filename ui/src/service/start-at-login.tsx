import { createEffect, createSignal, on, Show } from 'solid-js'
import { toApiError } from '../api/request.ts'
import { setStartAtLogin } from '../api/service.ts'
import { Alert } from '../base/alert.tsx'
import { Checkbox } from '../base/checkbox.tsx'
import { Snippet } from '../base/snippet.tsx'
import styles from './start-at-login.module.css'

export interface StartAtLoginProps {
  /** Null where only a command can change it. */
  isOn: boolean | null
  onChange: () => void
}

/** Whether Holdall starts by itself: a switch on the computer of its user, elsewhere the command. */
export function StartAtLogin(props: StartAtLoginProps) {
  return (
    <section class={styles.section} aria-labelledby="start-at-login">
      <h2 id="start-at-login">Start at login</h2>
      <Show when={props.isOn !== null} fallback={<InstallCommand />}>
        <Switch isOn={props.isOn === true} onChange={() => props.onChange()} />
      </Show>
    </section>
  )
}

function Switch(props: { isOn: boolean; onChange: () => void }) {
  /** What the user has chosen, until the service says so, too. */
  const [chosen, setChosen] = createSignal<boolean | null>(null)
  const [isChanging, setIsChanging] = createSignal(false)
  const [error, setError] = createSignal<string | null>(null)
  createEffect(
    on(
      () => props.isOn,
      () => setChosen(null),
    ),
  )

  async function change(isOn: boolean) {
    setChosen(isOn)
    setIsChanging(true)
    setError(null)
    try {
      await setStartAtLogin(isOn)
      props.onChange()
    } catch (cause) {
      setError(toApiError(cause).message)
      setChosen(null)
    } finally {
      setIsChanging(false)
    }
  }

  return (
    <>
      <Checkbox
        label="Start Holdall when I log in to this computer"
        help="Holdall goes on running now, either way."
        checked={chosen() ?? props.isOn}
        onChange={change}
        isBusy={isChanging()}
      />
      <Show when={error()}>
        {(text) => (
          <Alert>
            <p>{text()}</p>
          </Alert>
        )}
      </Show>
    </>
  )
}

function InstallCommand() {
  return (
    <>
      <p class={styles.text}>
        To start Holdall whenever you log in, stop it and run this with the settings below. As root on Linux,
        it starts with the machine.
      </p>
      <div class={styles.command}>
        <Snippet label="In a terminal" text="holdall install" copyLabel="Copy command" isCompact />
      </div>
    </>
  )
}
