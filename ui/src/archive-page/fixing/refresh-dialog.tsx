import { useNavigate } from '@solidjs/router'
import type { Job } from '../../api/types.ts'
import { ConfirmDialog } from '../../base/confirm-dialog.tsx'
import { archivePageCopy } from '../../language/english/archive-page.ts'
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
      title={archivePageCopy.refreshing.title}
      action={archivePageCopy.refreshing.action}
      busyAction={archivePageCopy.refreshing.busy}
      isHarmless
      onConfirm={refresh}
      onClose={() => props.onClose()}
    >
      <p>{archivePageCopy.refreshing.text}</p>
    </ConfirmDialog>
  )
}
