import { createSignal } from 'solid-js'
import { REQUEST_LIMITS } from '../../../server/request-limits.ts'
import { PLAN_LABELS } from '../api/plan-labels.ts'
import type { Plan, User } from '../api/types.ts'
import { createUser } from '../api/users.ts'
import { Button } from '../base/button.tsx'
import { Field } from '../base/field.tsx'
import { FormCard } from '../base/form-card.tsx'
import { createSubmission } from '../base/submission.ts'
import { usersCopy } from '../language/english/users.ts'

/** The form for a new user: name and plan. */
export function NewUserForm(props: { onCreated: (user: User) => void }) {
  const [name, setName] = createSignal('')
  const [plan, setPlan] = createSignal<Plan>('pro')
  const copy = usersCopy.form
  const { busy, errorMessage, run } = createSubmission()

  const submit = () =>
    run(async () => {
      props.onCreated(await createUser({ name: name().trim(), plan: plan() }))
      setName('')
    })

  return (
    <FormCard title={copy.title} errorMessage={errorMessage()} onSubmit={() => void submit()}>
      <Field label={copy.name}>
        {(id) => (
          <input
            id={id}
            type="text"
            autocomplete="off"
            required
            maxlength={REQUEST_LIMITS.userNameCharacters}
            value={name()}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label={copy.plan}>
        {(id) => (
          <select
            id={id}
            value={plan()}
            onChange={(event) => setPlan(event.currentTarget.value === 'free' ? 'free' : 'pro')}
          >
            <option value="pro">{PLAN_LABELS.pro}</option>
            <option value="free">{PLAN_LABELS.free}</option>
          </select>
        )}
      </Field>
      <Button type="submit" variant="primary" disabled={busy()}>
        {busy() ? copy.adding : copy.add}
      </Button>
    </FormCard>
  )
}
