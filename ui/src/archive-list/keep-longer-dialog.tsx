import { createSignal } from 'solid-js'
import { changeJob } from '../api/jobs.ts'
import { countOf } from '../base/format.ts'
import { SaveDialog } from '../base/save-dialog.tsx'
import { showToast } from '../base/toasts.tsx'
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
    const kept = countOf(props.jobs.length, 'archive')
    for (const { id } of props.jobs) await changeJob(id, { expires_in: days() * DAY_SECONDS })
    showToast({ text: `${kept} kept for ${countOf(days(), 'day')}` })
    props.onKept()
  }

  return (
    <SaveDialog
      title={`Keep ${countOf(props.jobs.length, 'archive')}`}
      onSave={save}
      onClose={() => props.onClose()}
    >
      <KeptDaysField days={days()} onDays={(days) => setDays(days ?? KEPT_DAYS[1])} />
    </SaveDialog>
  )
}
