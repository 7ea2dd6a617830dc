import { type ParentProps, Show } from 'solid-js'
import { controlsCopy } from '../language/english/controls.ts'
import { Alert } from './alert.tsx'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { MessageText } from './message-text.tsx'
import { createSubmission } from './submission.ts'

export interface SaveDialogProps {
  title: string
  /** The dialog stays open and shows the message of the error when this fails. */
  onSave: () => Promise<void>
  onClose: () => void
}

/** Changes something. Its children are the fields. */
export function SaveDialog(props: ParentProps<SaveDialogProps>) {
  const { busy, errorMessage, run } = createSubmission()
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    void run(async () => {
      await props.onSave()
      props.onClose()
    })
  }
  return (
    <Dialog open title={props.title} onClose={() => props.onClose()}>
      <form onSubmit={save}>
        {props.children}
        <Show when={errorMessage()}>
          {(message) => (
            <Alert>
              <MessageText message={message()} />
            </Alert>
          )}
        </Show>
        <DialogActions>
          <Button onClick={() => props.onClose()}>{controlsCopy.cancel}</Button>
          <Button type="submit" variant="primary" disabled={busy()}>
            {busy() ? controlsCopy.saving : controlsCopy.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
