import { createSignal } from 'solid-js'
import { type Message, messageOf } from './message.ts'

/** The state of a form or dialog whose action is a request: whether it is running, and why the last attempt failed. */
export function createSubmission() {
  const [busy, setBusy] = createSignal(false)
  const [errorMessage, setErrorMessage] = createSignal<Message>()
  return {
    busy,
    errorMessage,
    clearError: () => setErrorMessage(undefined),
    /** Runs the action. If it fails, sets the error message. Meanwhile, the button that runs it must be disabled. */
    async run(action: () => Promise<void>): Promise<void> {
      setBusy(true)
      setErrorMessage(undefined)
      try {
        await action()
      } catch (error) {
        setErrorMessage(messageOf(error))
      } finally {
        setBusy(false)
      }
    },
  }
}
