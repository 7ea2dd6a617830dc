import type { User } from '../api/types.ts'
import { removeUser } from '../api/users.ts'
import { ConfirmDialog } from '../base/confirm-dialog.tsx'
import { usersCopy } from '../language/english/users.ts'

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
      title={usersCopy.removing.title(props.user?.name ?? '')}
      action={usersCopy.removing.action}
      busyAction={usersCopy.removing.busy}
      onConfirm={remove}
      onClose={() => props.onClose()}
    >
      <p>{consequences(props.user)}</p>
    </ConfirmDialog>
  )
}

function consequences(user: User | undefined): string {
  const total = user?.job_counts.total ?? 0
  return total === 0 ? usersCopy.removing.withoutArchives : usersCopy.removing.withArchives(total)
}
