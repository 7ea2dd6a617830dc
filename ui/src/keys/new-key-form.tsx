import { createSignal, For, onMount, Show } from 'solid-js'
import { REQUEST_LIMITS } from '../../../server/request-limits.ts'
import { createKey } from '../api/keys.ts'
import type { NewApiKey } from '../api/types.ts'
import { Button } from '../base/button.tsx'
import { expiryOf, LIFETIMES, type Lifetime } from '../base/expiry.ts'
import { Field } from '../base/field.tsx'
import { FormCard } from '../base/form-card.tsx'
import { formatIsoDate } from '../base/format.ts'
import { serviceNow } from '../base/now.ts'
import { createSubmission } from '../base/submission.ts'
import { keysCopy } from '../language/english/keys.ts'

/** The form for a new key: its name and its lifetime. */
export function NewKeyForm(props: { autoFocusName: boolean; onCreated: (key: NewApiKey) => void }) {
  const [name, setName] = createSignal('')
  const [lifetime, setLifetime] = createSignal<Lifetime>('never')
  const [date, setDate] = createSignal(formatIsoDate(serviceNow()))
  const { busy, errorMessage, run } = createSubmission()
  const copy = keysCopy.form
  let nameInput: HTMLInputElement | undefined

  async function submit() {
    const expiresAt = expiryOf(lifetime(), date(), serviceNow())
    if (expiresAt === undefined) return
    await run(async () => {
      props.onCreated(await createKey({ name: name().trim(), expires_at: expiresAt }))
    })
  }

  onMount(() => props.autoFocusName && nameInput?.focus())

  return (
    <FormCard title={copy.title} errorMessage={errorMessage()} onSubmit={() => void submit()}>
      <Field label={copy.name}>
        {(id) => (
          <input
            ref={nameInput}
            id={id}
            type="text"
            autocomplete="off"
            maxlength={REQUEST_LIMITS.apiKeyNameCharacters}
            placeholder={copy.namePlaceholder}
            value={name()}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label={copy.expires}>
        {(id) => (
          <select
            id={id}
            onChange={(event) => setLifetime(LIFETIMES[event.currentTarget.selectedIndex]?.value ?? 'never')}
          >
            <For each={LIFETIMES}>
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
        <Field label={copy.validThrough}>
          {(id) => (
            <input
              id={id}
              type="date"
              required
              min={formatIsoDate(serviceNow())}
              value={date()}
              onInput={(event) => setDate(event.currentTarget.value)}
            />
          )}
        </Field>
      </Show>
      <Button type="submit" variant="primary" disabled={busy()}>
        {busy() ? copy.creating : copy.create}
      </Button>
    </FormCard>
  )
}
