import { useNavigate } from '@solidjs/router'
import type { Job } from '../../api/types.ts'
import { ConfirmDialog } from '../../base/confirm-dialog.tsx'
import { packAgain } from './pack-again.ts'

/** Says what a refresh does, starts it, and opens the new archive. */
export function RefreshDialog(props: { job: Job; onClose: () => void }) {
  const navigate = useNavigate()
  async function refresh() {
    const id = await packAgain(props.job, 'unchanged')
    props.onClose()
    navigate(`/archives/${id}`)
  }
  return (
    <ConfirmDialog
      open
      title="Refresh this archive?"
      action="Refresh"
      busyAction="Refreshing…"
      isHarmless
      onConfirm={refresh}
      onClose={() => props.onClose()}
    >
      <p>
        Packs the same links again. Files that have changed are fetched; all others are copied. The share link
        then opens the new archive. This version is kept until it expires.
      </p>
    </ConfirmDialog>
  )
}
