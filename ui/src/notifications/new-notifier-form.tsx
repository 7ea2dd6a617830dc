import { createSignal, For, Show } from 'solid-js'
import { createNotifier } from '../api/notifiers.ts'
import { ApiError } from '../api/request.ts'
import type { NewNotifier, NotifierKind, NotifierOccasion } from '../api/types.ts'
import { Button } from '../base/button.tsx'
import { Field } from '../base/field.tsx'
import { FormCard } from '../base/form-card.tsx'
import { createSubmission } from '../base/submission.ts'
import { KINDS } from './notifier-kinds.ts'
import { OCCASION_CHOICES } from './occasions.ts'

export interface NewNotifierFormProps {
  /** What the service can send. */
  kinds: readonly NotifierKind[]
  onCreated: (notifier: NewNotifier) => void
}

/** The form for a new notifier: how it tells, where, and of what. */
export function NewNotifierForm(props: NewNotifierFormProps) {
  const [chosen, setKind] = createSignal<NotifierKind>()
  const kind = () => chosen() ?? KINDS.find((each) => props.kinds.includes(each.kind))?.kind ?? 'webhook'
  const [target, setTarget] = createSignal('')
  const [token, setToken] = createSignal('')
  const [on, setOn] = createSignal<readonly NotifierOccasion[]>(OCCASION_CHOICES[0].on)
  const { busy, errorMessage, clearError, run } = createSubmission()

  const choose = (value: NotifierKind | undefined) => {
    setKind(value)
    setTarget('')
    setToken('')
    clearError()
  }

  const submit = () =>
    run(async () => {
      try {
        props.onCreated(await createNotifier({ ...whereOf(kind(), target().trim(), token()), on: [...on()] }))
        setTarget('')
        setToken('')
      } catch (error) {
        throw withFieldName(error, kind())
      }
    })

  return (
    <FormCard title="Tell me" errorMessage={errorMessage()} onSubmit={() => void submit()}>
      <Field label="By">
        {(id) => (
          <select id={id} onChange={(event) => choose(KINDS[event.currentTarget.selectedIndex]?.kind)}>
            <For each={KINDS}>
              {(each) => (
                <option selected={each.kind === kind()} disabled={!props.kinds.includes(each.kind)}>
                  {each.label}
                  {props.kinds.includes(each.kind) ? '' : ' (no mail server)'}
                </option>
              )}
            </For>
          </select>
        )}
      </Field>
      <Field label={TARGETS[kind()].label}>
        {(id) => (
          <input
            id={id}
            type={kind() === 'email' ? 'email' : 'text'}
            inputmode={kind() === 'email' ? 'email' : 'url'}
            autocomplete={kind() === 'email' ? 'email' : 'off'}
            autocapitalize="off"
            spellcheck={false}
            required
            placeholder={TARGETS[kind()].example}
            value={target()}
            onInput={(event) => setTarget(event.currentTarget.value)}
          />
        )}
      </Field>
      <Show when={kind() === 'ntfy'}>
        <Field label="Token (optional)">
          {(id) => (
            // Browsers must not keep it, nor offer one that they have kept for Holdall itself.
            <input
              id={id}
              type="password"
              autocomplete="new-password"
              placeholder="tk_…"
              value={token()}
              onInput={(event) => setToken(event.currentTarget.value)}
            />
          )}
        </Field>
      </Show>
      <Field label="About">
        {(id) => (
          <select
            id={id}
            onChange={(event) =>
              setOn(OCCASION_CHOICES[event.currentTarget.selectedIndex]?.on ?? OCCASION_CHOICES[0].on)
            }
          >
            <For each={OCCASION_CHOICES}>
              {(choice) => <option selected={choice.on === on()}>{choice.label}</option>}
            </For>
          </select>
        )}
      </Field>
      <Button type="submit" variant="primary" disabled={busy()}>
        {busy() ? 'Adding…' : 'Add'}
      </Button>
    </FormCard>
  )
}

function whereOf(kind: NotifierKind, target: string, token: string) {
  if (kind === 'email') return { kind, to: target }
  return kind === 'ntfy' ? { kind, url: target, ...(token !== '' && { token }) } : { kind, url: target }
}

const TARGETS: Readonly<Record<NotifierKind, { readonly label: string; readonly example: string }>> = {
  email: { label: 'Address', example: 'you@example.org' },
  ntfy: { label: 'Topic', example: 'https://ntfy.sh/my-topic' },
  webhook: { label: 'URL', example: 'https://' },
}

/** The service says "url must be an https URL", and the form "The topic must be an https URL". */
function withFieldName(error: unknown, kind: NotifierKind): unknown {
  const [issue] = error instanceof ApiError ? error.issues : []
  if (issue === undefined) return error
  if (issue.path === 'token') return new Error(`The access token ${issue.message}.`)
  if (issue.path !== 'url' && issue.path !== 'to') return error
  const { label } = TARGETS[kind]
  return new Error(`The ${kind === 'webhook' ? label : label.toLowerCase()} ${issue.message}.`)
}
