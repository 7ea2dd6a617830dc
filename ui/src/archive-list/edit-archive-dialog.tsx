import { createSignal, For, Show } from 'solid-js'
import { changeJob } from '../api/jobs.ts'
import type { JobListItem } from '../api/types.ts'
import { Alert } from '../base/alert.tsx'
import { Button } from '../base/button.tsx'
import { Dialog, DialogActions } from '../base/dialog.tsx'
import { Field } from '../base/field.tsx'
import { countOf } from '../base/format.ts'
import { createSubmission } from '../base/submission.ts'

const DAY_SECONDS = 86_400
/** How long an archive can be kept, counted from now. The plan may allow less. */
const KEPT_DAYS = [1, 7, 30, 60] as const

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
        <Field label="Keep">
          {(id) => (
            <select id={id} onChange={(event) => setDays(KEPT_DAYS[event.currentTarget.selectedIndex - 1])}>
              <option selected={days() === undefined}>As long as before</option>
              <For each={KEPT_DAYS}>
                {(count) => <option selected={days() === count}>For {countOf(count, 'day')} from now</option>}
              </For>
            </select>
          )}
        </Field>
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
