import { createSignal, For } from 'solid-js'
import { ApiError } from '../api/request.ts'
import type { WebhookEvent, WebhookWithSecret } from '../api/types.ts'
import { createWebhook } from '../api/webhooks.ts'
import { Button } from '../base/button.tsx'
import { Field } from '../base/field.tsx'
import { FormCard } from '../base/form-card.tsx'
import { createSubmission } from '../base/submission.ts'
import { EVENT_CHOICES } from './webhook-events.ts'

/** The form for a new webhook: its URL, and what it is notified of. */
export function NewWebhookForm(props: { onCreated: (webhook: WebhookWithSecret) => void }) {
  const [url, setUrl] = createSignal('')
  const [events, setEvents] = createSignal<readonly WebhookEvent[]>(EVENT_CHOICES[0].events)
  const { busy, errorMessage, run } = createSubmission()

  const submit = () =>
    run(async () => {
      try {
        props.onCreated(await createWebhook({ url: url().trim(), events: [...events()] }))
      } catch (error) {
        throw withFieldName(error)
      }
    })

  return (
    <FormCard title="New webhook" errorMessage={errorMessage()} onSubmit={() => void submit()}>
      <Field label="URL">
        {(id) => (
          <input
            id={id}
            type="text"
            inputmode="url"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            required
            placeholder="https://"
            value={url()}
            onInput={(event) => setUrl(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label="Notify of">
        {(id) => (
          <select
            id={id}
            onChange={(event) =>
              setEvents(EVENT_CHOICES[event.currentTarget.selectedIndex]?.events ?? EVENT_CHOICES[0].events)
            }
          >
            <For each={EVENT_CHOICES}>
              {({ label, events: choice }) => <option selected={choice === events()}>{label}</option>}
            </For>
          </select>
        )}
      </Field>
      <Button type="submit" variant="primary" disabled={busy()}>
        {busy() ? 'Adding…' : 'Add webhook'}
      </Button>
    </FormCard>
  )
}

/** The service says "url must be an https URL", and the form "The URL must be an https URL". */
function withFieldName(error: unknown): unknown {
  const issue = error instanceof ApiError ? error.issues.find(({ path }) => path === 'url') : undefined
  return issue === undefined ? error : new Error(`The URL ${issue.message}.`)
}
