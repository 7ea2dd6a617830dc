import { createSignal } from 'solid-js'
import { changeJob } from '../api/jobs.ts'
import { SaveDialog } from '../base/save-dialog.tsx'
import { showToast } from '../base/toasts.tsx'
import { archiveListCopy } from '../language/english/archive-list.ts'
import { baseCopy } from '../language/english/base.ts'
import type { NamedJob } from './archive-actions.ts'
import { DAY_SECONDS, KEPT_DAYS, KeptDaysField } from './kept-days.tsx'

export interface KeepLongerDialogProps {
  jobs: readonly NamedJob[]
  onKept: () => void
  onClose: () => void
}

/** Changes how long several archives are kept. */
export function KeepLongerDialog(props: KeepLongerDialogProps) {
  const [days, setDays] = createSignal<number>(KEPT_DAYS[1])

  async function save() {
    const kept = baseCopy.archives(props.jobs.length)
    for (const { id } of props.jobs) await changeJob(id, { expires_in: days() * DAY_SECONDS })
    showToast({ text: archiveListCopy.keep.kept(kept, days()) })
    props.onKept()
  }

  return (
    <SaveDialog
      title={archiveListCopy.keep.title(props.jobs.length)}
      onSave={save}
      onClose={() => props.onClose()}
    >
      <KeptDaysField days={days()} onDays={(days) => setDays(days ?? KEPT_DAYS[1])} />
    </SaveDialog>
  )
}
