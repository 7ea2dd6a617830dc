import { revokeKey } from '../api/keys.ts'
import { ApiError } from '../api/request.ts'
import type { ApiKey } from '../api/types.ts'
import { ConfirmDialog } from '../base/confirm-dialog.tsx'
import { sessionKeyId } from '../session/session.ts'

export interface RevokeDialogProps {
  apiKey: ApiKey | undefined
  onRevoked: (key: ApiKey) => void
  onClose: () => void
}

/** Asks before a key is revoked, or a browser is signed out. Open while `apiKey` is defined. */
export function RevokeDialog(props: RevokeDialogProps) {
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
      title={isBrowser() ? 'Sign out this browser?' : `Revoke ${props.apiKey?.name ?? 'key'}?`}
      action={isBrowser() ? 'Sign out' : 'Revoke key'}
      busyAction={isBrowser() ? 'Signing out…' : 'Revoking…'}
      onConfirm={revoke}
      onClose={() => props.onClose()}
    >
      <p>{consequence(props.apiKey)} This can’t be undone.</p>
    </ConfirmDialog>
  )
}

function consequence(apiKey: ApiKey | undefined): string {
  if (apiKey?.id === sessionKeyId()) return 'It is the one you are using now: you will be signed out here.'
  if (apiKey?.is_browser) return 'Whoever uses it needs a new sign-in link.'
  return 'Anything using this key stops immediately.'
}
