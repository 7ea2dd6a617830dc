import { AlertDialog } from '@kobalte/core/alert-dialog'
import { createSignal, type JSX } from 'solid-js'

/** A button for what can't be undone: asks once more before it does it. */
export function ConfirmButton(props: {
  label: string
  icon: JSX.Element
  question: string
  explanation: string
  onConfirm: () => void
}) {
  const [isOpen, setOpen] = createSignal(false)
  return (
    <AlertDialog open={isOpen()} onOpenChange={setOpen}>
      <AlertDialog.Trigger class="button quiet-danger">
        {props.icon}
        {props.label}
      </AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Overlay class="overlay" />
        <div class="dialog-place">
          <AlertDialog.Content class="dialog">
            <AlertDialog.Title class="dialog-title">{props.question}</AlertDialog.Title>
            <AlertDialog.Description class="dialog-text">{props.explanation}</AlertDialog.Description>
            <div class="dialog-buttons">
              <AlertDialog.CloseButton class="button" aria-label="Cancel">
                Cancel
              </AlertDialog.CloseButton>
              <button
                type="button"
                class="button danger"
                onClick={() => {
                  setOpen(false)
                  props.onConfirm()
                }}
              >
                {props.label}
              </button>
            </div>
          </AlertDialog.Content>
        </div>
      </AlertDialog.Portal>
    </AlertDialog>
  )
}
