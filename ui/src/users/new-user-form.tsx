import { createSignal } from 'solid-js'
import { REQUEST_LIMITS } from '../../../server/request-limits.ts'
import type { Plan, User } from '../api/types.ts'
import { createUser } from '../api/users.ts'
import { Button } from '../base/button.tsx'
import { Field } from '../base/field.tsx'
import { FormCard } from '../base/form-card.tsx'
import { createSubmission } from '../base/submission.ts'

/** The form for a new user: name and plan. */
export function NewUserForm(props: { onCreated: (user: User) => void }) {
  const [name, setName] = createSignal('')
  const [plan, setPlan] = createSignal<Plan>('pro')
  const { busy, errorMessage, run } = createSubmission()

  const submit = () =>
    run(async () => {
      props.onCreated(await createUser({ name: name().trim(), plan: plan() }))
      setName('')
    })

  return (
    <FormCard title="New user" errorMessage={errorMessage()} onSubmit={() => void submit()}>
      <Field label="Name">
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
      <Field label="Plan">
        {(id) => (
          <select
            id={id}
            value={plan()}
            onChange={(event) => setPlan(event.currentTarget.value === 'free' ? 'free' : 'pro')}
          >
            <option value="pro">Pro</option>
            <option value="free">Free</option>
          </select>
        )}
      </Field>
      <Button type="submit" variant="primary" disabled={busy()}>
        {busy() ? 'Adding…' : 'Add user'}
      </Button>
    </FormCard>
  )
}
