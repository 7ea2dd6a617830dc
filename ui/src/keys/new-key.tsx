import { createSignal, For, onMount, Show } from 'solid-js'
import { createKey } from '../api/keys.ts'
import type { NewApiKey } from '../api/types.ts'
import { Alert } from '../base/alert.tsx'
import { Button } from '../base/button.tsx'
import { Field } from '../base/field.tsx'
import { dateOf, expiryOf, KEY_LIFETIMES, type KeyLifetime } from './key-expiry.ts'
import styles from './new-key.module.css'

/** As long as the service takes a name. */
const MAX_NAME_CHARACTERS = 255

/** Asks for a key's name and how long it is good, and makes it. */
export function NewKey(props: { focused: boolean; onCreated: (key: NewApiKey) => void }) {
  const [name, setName] = createSignal('')
  const [lifetime, setLifetime] = createSignal<KeyLifetime>('never')
  const [date, setDate] = createSignal(dateOf(Date.now()))
  const [busy, setBusy] = createSignal(false)
  const [refusal, setRefusal] = createSignal<string>()
  let nameInput: HTMLInputElement | undefined

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    const expiresAt = expiryOf(lifetime(), date(), Date.now())
    if (busy() || expiresAt === undefined) return
    setBusy(true)
    setRefusal(undefined)
    try {
      props.onCreated(await createKey({ name: name().trim(), expires_at: expiresAt }))
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }

  onMount(() => props.focused && nameInput?.focus())

  return (
    <form class={styles.form} onSubmit={submit}>
      <h2>New key</h2>
      <div class={styles.fields}>
        <Field label="Name">
          {(id) => (
            <input
              ref={nameInput}
              id={id}
              type="text"
              autocomplete="off"
              maxlength={MAX_NAME_CHARACTERS}
              placeholder="Where it will be used"
              value={name()}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label="Expires">
          {(id) => (
            <select
              id={id}
              onChange={(event) =>
                setLifetime(KEY_LIFETIMES[event.currentTarget.selectedIndex]?.value ?? 'never')
              }
            >
              <For each={KEY_LIFETIMES}>
                {({ value, label }) => (
                  <option value={value} selected={value === lifetime()}>
                    {label}
                  </option>
                )}
              </For>
            </select>
          )}
        </Field>
        <Show when={lifetime() === 'date'}>
          <Field label="Last day">
            {(id) => (
              <input
                id={id}
                type="date"
                required
                min={dateOf(Date.now())}
                value={date()}
                onInput={(event) => setDate(event.currentTarget.value)}
              />
            )}
          </Field>
        </Show>
        <Button type="submit" variant="primary" disabled={busy()}>
          {busy() ? 'Creating…' : 'Create key'}
        </Button>
      </div>
      <Show when={refusal()}>{(text) => <Alert>{text()}</Alert>}</Show>
    </form>
  )
}
