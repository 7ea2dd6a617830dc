import { For } from 'solid-js'
import { ApiError } from '../api/request.ts'
import type { NotifierKind, NotifierOccasion } from '../api/types.ts'
import { Field } from '../base/field.tsx'
import { inSentence, MessageError, wordsOfService } from '../base/message.ts'
import { notificationsCopy as copy } from '../language/english/notifications.ts'
import { OCCASION_CHOICES } from './occasions.ts'

export interface TargetFieldProps {
  kind: NotifierKind
  target: string
  onInput: (target: string) => void
}

/** Where a notifier sends to. */
export function TargetField(props: TargetFieldProps) {
  return (
    <Field label={copy.form.targets[props.kind]}>
      {(id) => (
        <input
          id={id}
          type={props.kind === 'email' ? 'email' : 'text'}
          inputmode={props.kind === 'email' ? 'email' : 'url'}
          autocomplete={props.kind === 'email' ? 'email' : 'off'}
          autocapitalize="off"
          spellcheck={false}
          required
          placeholder={EXAMPLES[props.kind]}
          value={props.target}
          onInput={(event) => props.onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

/** The access token of a topic. */
export function TokenField(props: { label: string; token: string; onInput: (token: string) => void }) {
  return (
    <Field label={props.label}>
      {(id) => (
        // Browsers must not keep it, nor offer one that they have kept for Holdall itself.
        <input
          id={id}
          type="password"
          autocomplete="new-password"
          placeholder="tk_…"
          value={props.token}
          onInput={(event) => props.onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

export interface OccasionFieldProps {
  on: readonly NotifierOccasion[]
  onChange: (on: readonly NotifierOccasion[]) => void
}

/** What a notifier tells of. */
export function OccasionField(props: OccasionFieldProps) {
  return (
    <Field label={copy.form.about}>
      {(id) => (
        <select
          id={id}
          onChange={(event) =>
            props.onChange(OCCASION_CHOICES[event.currentTarget.selectedIndex]?.on ?? OCCASION_CHOICES[0].on)
          }
        >
          <For each={OCCASION_CHOICES}>
            {(choice) => (
              <option selected={isSame(choice.on, props.on)}>{copy.occasions[choice.name]}</option>
            )}
          </For>
        </select>
      )}
    </Field>
  )
}

/** The service says "url must be an https URL", and the form "The topic must be an https URL". */
export function withFieldName(error: unknown, kind: NotifierKind): unknown {
  const [issue] = error instanceof ApiError ? error.issues : []
  if (issue === undefined) return error
  if (issue.path === 'token')
    return new MessageError(inSentence(wordsOfService(issue.message), copy.wrong.token))
  if (issue.path !== 'url' && issue.path !== 'to') return error
  return new MessageError(inSentence(wordsOfService(issue.message), copy.wrong[kind]))
}

function isSame(one: readonly NotifierOccasion[], other: readonly NotifierOccasion[]): boolean {
  return one.length === other.length && one.every((occasion) => other.includes(occasion))
}

const EXAMPLES: Readonly<Record<NotifierKind, string>> = {
  email: 'you@example.org',
  ntfy: 'https://ntfy.sh/my-topic',
  webhook: 'https://',
}
