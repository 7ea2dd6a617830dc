import { createSignal } from 'solid-js'
import { changeJob } from '../api/jobs.ts'
import type { JobListItem } from '../api/types.ts'
import { Field } from '../base/field.tsx'
import { SaveDialog } from '../base/save-dialog.tsx'
import { archiveListCopy } from '../language/english/archive-list.ts'
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

  async function save() {
    const keptDays = days()
    await changeJob(props.job.id, {
      zip_filename: name().trim(),
      ...(keptDays !== undefined && { expires_in: keptDays * DAY_SECONDS }),
    })
    props.onChanged()
  }

  return (
    <SaveDialog title={archiveListCopy.edit.title} onSave={save} onClose={() => props.onClose()}>
      <Field label={archiveListCopy.edit.fileName}>
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
      <KeptDaysField days={days()} unchanged={archiveListCopy.edit.unchanged} onDays={setDays} />
    </SaveDialog>
  )
}
