import type { User } from '../api/types.ts'
import { removeUser } from '../api/users.ts'
import { ConfirmDialog } from '../base/confirm-dialog.tsx'
import { countOf } from '../base/format.ts'

export interface RemoveUserDialogProps {
  user: User | undefined
  onRemoved: (user: User) => void
  onClose: () => void
}

/**
 * Asks before a user is removed, instead of offering undo: until an undo has expired, the user's keys would still work and
 * their archives would still be packed. Open while `user` is defined.
 */
export function RemoveUserDialog(props: RemoveUserDialogProps) {
  async function remove() {
    const { user } = props
    if (user === undefined) return
    await removeUser(user.id)
    props.onRemoved(user)
  }
  return (
    <ConfirmDialog
      open={props.user !== undefined}
      title={`Remove ${props.user?.name ?? 'user'}?`}
      action="Remove user"
      busyAction="Removing…"
      onConfirm={remove}
      onClose={() => props.onClose()}
    >
      <p>{consequences(props.user)} This can’t be undone.</p>
    </ConfirmDialog>
  )
}

function consequences(user: User | undefined): string {
  const total = user?.job_counts.total ?? 0
  const archives = total === 0 ? 'Their API keys are' : `Their API keys and ${countOf(total, 'archive')} are`
  return `${archives} deleted, and their browsers are signed out.`
}
