import { createSignal, Show } from 'solid-js'
import { changeJob } from '../api/jobs.ts'
import type { JobListItem } from '../api/types.ts'
import { Alert } from '../base/alert.tsx'
import { Button } from '../base/button.tsx'
import { Dialog, DialogActions } from '../base/dialog.tsx'
import { Field } from '../base/field.tsx'
import { createSubmission } from '../base/submission.ts'
import { DAY_SECONDS, KeptDaysField } from './kept-days.tsx'

export interface EditArchiveDialogProps {
  job: JobListItem
  onChanged: () => void
  onClose: () => void
}

/** Renames an archive, or changes how long it is kept. */
export function EditArchiveDialog(props: EditArchiveDialogProps) {
  const [name, setName] = createSignal(props.job.zip_filename.replace(/\.zip$/, ''))
  const [days, setDays] = createSignal<number>()
  const { busy, errorMessage, run } = createSubmission()

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (busy()) return
    await run(async () => {
      const keptDays = days()
      await changeJob(props.job.id, {
        zip_filename: name().trim(),
        ...(keptDays !== undefined && { expires_in: keptDays * DAY_SECONDS }),
      })
      props.onChanged()
      props.onClose()
    })
  }

  return (
    <Dialog open title="Edit archive" onClose={() => props.onClose()}>
      <form onSubmit={submit}>
        <Field label="File name">
          {(id) => (
            <input
              id={id}
              type="text"
              autocomplete="off"
              required
              value={name()}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <KeptDaysField days={days()} unchanged="As long as before" onDays={setDays} />
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
