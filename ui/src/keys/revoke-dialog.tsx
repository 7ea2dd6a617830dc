import { Show } from 'solid-js'
import { revokeKey } from '../api/keys.ts'
import { ApiError } from '../api/request.ts'
import type { ApiKey } from '../api/types.ts'
import { Alert } from '../base/alert.tsx'
import { Button } from '../base/button.tsx'
import { Dialog, DialogActions } from '../base/dialog.tsx'
import { createSubmission } from '../base/submission.ts'
import { sessionKeyId } from '../session/session.ts'

/** Asks for confirmation before a key is revoked. Open while `apiKey` is defined. */
export function RevokeDialog(props: {
  apiKey: ApiKey | undefined
  onRevoked: (key: ApiKey) => void
  onClose: () => void
}) {
  const { busy, errorMessage, clearError, run } = createSubmission()

  const close = () => {
    clearError()
    props.onClose()
  }

  async function revoke(key: ApiKey) {
    try {
      await revokeKey(key.id)
    } catch (error) {
      // If the key has been revoked elsewhere in the meantime, the result is the desired one.
      if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) throw error
    }
    props.onRevoked(key)
  }

  return (
    <Dialog
      open={props.apiKey !== undefined}
      title={`Revoke ${props.apiKey?.name ?? 'key'}?`}
      onClose={close}
    >
      <p>
        {props.apiKey?.id === sessionKeyId()
          ? 'This browser uses the key: you will be signed out here. This can’t be undone.'
          : 'Whatever uses this key stops working at once. This can’t be undone.'}
      </p>
      <Show when={errorMessage()}>{(text) => <Alert>{text()}</Alert>}</Show>
      <DialogActions>
        <Button onClick={close}>Keep it</Button>
        <Button
          variant="danger"
          disabled={busy()}
          onClick={() => {
            const key = props.apiKey
            if (key) void run(() => revoke(key))
          }}
        >
          {busy() ? 'Revoking…' : 'Revoke key'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
