import { createSignal, Show } from 'solid-js'
import { changeJob } from '../api/jobs.ts'
import { Alert } from '../base/alert.tsx'
import { Button } from '../base/button.tsx'
import { Dialog, DialogActions } from '../base/dialog.tsx'
import { countOf } from '../base/format.ts'
import { createSubmission } from '../base/submission.ts'
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
  const { busy, errorMessage, run } = createSubmission()

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (busy()) return
    await run(async () => {
      const kept = countOf(props.jobs.length, 'archive')
      for (const { id } of props.jobs) await changeJob(id, { expires_in: days() * DAY_SECONDS })
      showToast({ text: `${kept} kept for ${countOf(days(), 'day')}` })
      props.onClose()
      props.onKept()
    })
  }

  return (
    <Dialog open title={`Keep ${countOf(props.jobs.length, 'archive')}`} onClose={() => props.onClose()}>
      <form onSubmit={submit}>
        <KeptDaysField days={days()} onDays={(days) => setDays(days ?? KEPT_DAYS[1])} />
        <Show when={errorMessage()}>{(text) => <Alert>{text()}</Alert>}</Show>
        <DialogActions>
          <Button onClick={() => props.onClose()}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={busy()}>
            {busy() ? 'Saving…' : 'Save'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
