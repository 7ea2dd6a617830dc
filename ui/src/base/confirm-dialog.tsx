import { type ParentProps, Show } from 'solid-js'
import { controlsCopy } from '../language/english/controls.ts'
import { Alert } from './alert.tsx'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { MessageText } from './message-text.tsx'
import { createSubmission } from './submission.ts'

export interface ConfirmDialogProps {
  open: boolean
  title: string
  /** What the button says: "Remove user", and "Removing…" while it happens. */
  action: string
  busyAction: string
  /** The action can be undone later, so its button is not red. */
  isHarmless?: boolean
  /** The dialog stays open and shows the message of the error when this fails. */
  onConfirm: () => Promise<void>
  onClose: () => void
}

/** Asks before an action that can't be undone. Its children say what will happen. */
export function ConfirmDialog(props: ParentProps<ConfirmDialogProps>) {
  const { busy, errorMessage, clearError, run } = createSubmission()
  const close = () => {
    clearError()
    props.onClose()
  }
  return (
    <Dialog open={props.open} title={props.title} onClose={close}>
      {props.children}
      <Show when={errorMessage()}>
        {(message) => (
          <Alert>
            <MessageText message={message()} />
          </Alert>
        )}
      </Show>
      <DialogActions>
        <Button onClick={close}>{controlsCopy.cancel}</Button>
        <Button
          variant={props.isHarmless ? 'primary' : 'danger'}
          disabled={busy()}
          onClick={() => void run(() => props.onConfirm())}
        >
          {busy() ? props.busyAction : props.action}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
