import { createSignal, For, Show } from 'solid-js'
import { createNotifier } from '../api/notifiers.ts'
import type { NewNotifier, NotifierKind, NotifierOccasion } from '../api/types.ts'
import { Button } from '../base/button.tsx'
import { Field } from '../base/field.tsx'
import { FormCard } from '../base/form-card.tsx'
import { createSubmission } from '../base/submission.ts'
import { notificationsCopy } from '../language/english/notifications.ts'
import { OccasionField, TargetField, TokenField, withFieldName } from './notifier-fields.tsx'
import { KINDS } from './notifier-kinds.ts'
import { OCCASION_CHOICES } from './occasions.ts'

const copy = notificationsCopy.form

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
    <FormCard title={copy.title} errorMessage={errorMessage()} onSubmit={() => void submit()}>
      <Field label={copy.by}>
        {(id) => (
          <select id={id} onChange={(event) => choose(KINDS[event.currentTarget.selectedIndex]?.kind)}>
            <For each={KINDS}>
              {(each) => (
                <option selected={each.kind === kind()} disabled={!props.kinds.includes(each.kind)}>
                  {props.kinds.includes(each.kind)
                    ? copy.kinds[each.kind]
                    : copy.noMailServer(copy.kinds[each.kind])}
                </option>
              )}
            </For>
          </select>
        )}
      </Field>
      <TargetField kind={kind()} target={target()} onInput={setTarget} />
      <Show when={kind() === 'ntfy'}>
        <TokenField label={copy.token} token={token()} onInput={setToken} />
      </Show>
      <OccasionField on={on()} onChange={setOn} />
      <Button type="submit" variant="primary" disabled={busy()}>
        {busy() ? copy.adding : copy.add}
      </Button>
    </FormCard>
  )
}

function whereOf(kind: NotifierKind, target: string, token: string) {
  if (kind === 'email') return { kind, to: target }
  return kind === 'ntfy' ? { kind, url: target, ...(token !== '' && { token }) } : { kind, url: target }
}
