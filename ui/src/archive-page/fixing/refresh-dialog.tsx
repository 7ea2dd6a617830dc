import { useNavigate } from '@solidjs/router'
import type { Job } from '../../api/types.ts'
import { ConfirmDialog } from '../../base/confirm-dialog.tsx'
import { packAgain } from './pack-again.ts'
import { texts } from './texts.ts'

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
      title={texts.refreshTitle}
      action={texts.refresh}
      busyAction={texts.refreshing}
      isHarmless
      onConfirm={refresh}
      onClose={() => props.onClose()}
    >
      <p>{texts.refreshText}</p>
    </ConfirmDialog>
  )
}
