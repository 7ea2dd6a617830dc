import { revokeKey } from '../api/keys.ts'
import { ApiError } from '../api/request.ts'
import type { ApiKey } from '../api/types.ts'
import { ConfirmDialog } from '../base/confirm-dialog.tsx'
import { keysCopy } from '../language/english/keys.ts'
import { sessionKeyId } from '../session/session.ts'

export interface RevokeDialogProps {
  apiKey: ApiKey | undefined
  onRevoked: (key: ApiKey) => void
  onClose: () => void
}

/** Asks before a key is revoked, or a browser is signed out. Open while `apiKey` is defined. */
export function RevokeDialog(props: RevokeDialogProps) {
  const copy = keysCopy.revoking
  const isBrowser = () => props.apiKey?.is_browser === true

  async function revoke() {
    const { apiKey } = props
    if (apiKey === undefined) return
    try {
      await revokeKey(apiKey.id)
    } catch (error) {
      // If the key has been revoked elsewhere in the meantime, the result is the desired one.
      if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) throw error
    }
    props.onRevoked(apiKey)
  }

  return (
    <ConfirmDialog
      open={props.apiKey !== undefined}
      title={isBrowser() ? copy.signOutTitle : copy.title(props.apiKey?.name ?? '')}
      action={isBrowser() ? copy.signOut : copy.action}
      busyAction={isBrowser() ? copy.signingOut : copy.busy}
      onConfirm={revoke}
      onClose={() => props.onClose()}
    >
      <p>{consequence(props.apiKey)}</p>
    </ConfirmDialog>
  )
}

function consequence(apiKey: ApiKey | undefined): string {
  if (apiKey?.id === sessionKeyId()) return keysCopy.revoking.ownBrowser
  if (apiKey?.is_browser) return keysCopy.revoking.otherBrowser
  return keysCopy.revoking.key
}
