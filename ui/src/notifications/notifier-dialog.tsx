import { createSignal, Show } from 'solid-js'
import { changeNotifier } from '../api/notifiers.ts'
import type { Notifier, NotifierOccasion } from '../api/types.ts'
import { SaveDialog } from '../base/save-dialog.tsx'
import { notificationsCopy } from '../language/english/notifications.ts'
import { OccasionField, TargetField, TokenField, withFieldName } from './notifier-fields.tsx'
import { targetOf } from './notifier-kinds.ts'

const copy = notificationsCopy.form

export interface NotifierDialogProps {
  notifier: Notifier
  onSaved: () => void
  onClose: () => void
}

/** Changes where a notifier sends to, and what it tells of. A token is never shown: it stays, or is entered again. */
export function NotifierDialog(props: NotifierDialogProps) {
  // The dialog is made anew for each notifier.
  const { notifier } = props
  const { kind } = notifier
  const [target, setTarget] = createSignal(targetOf(notifier))
  const [token, setToken] = createSignal('')
  const [on, setOn] = createSignal<readonly NotifierOccasion[]>(notifier.on)

  async function save() {
    const wanted = target().trim()
    const where = wanted === targetOf(notifier) ? {} : kind === 'email' ? { to: wanted } : { url: wanted }
    try {
      await changeNotifier(notifier.id, {
        ...where,
        ...(token() !== '' && { token: token() }),
        on: [...on()],
      })
    } catch (error) {
      throw withFieldName(error, kind)
    }
    props.onSaved()
  }

  return (
    <SaveDialog title={copy.edit} onSave={save} onClose={() => props.onClose()}>
      <TargetField kind={kind} target={target()} onInput={setTarget} />
      <Show when={notifier.kind === 'ntfy' && notifier}>
        {(topic) => (
          <TokenField
            label={topic().has_token ? copy.savedToken : copy.token}
            token={token()}
            onInput={setToken}
          />
        )}
      </Show>
      <OccasionField on={on()} onChange={setOn} />
    </SaveDialog>
  )
}
