import { createMemo, createSignal, createUniqueId, For } from 'solid-js'
import { REQUEST_LIMITS } from '../../../server/request-limits.ts'
import { Button } from '../base/button.tsx'
import { Dialog, DialogActions } from '../base/dialog.tsx'
import { Field } from '../base/field.tsx'
import { controlsCopy } from '../language/english/controls.ts'
import { newArchiveCopy } from '../language/english/new-archive.ts'
import type { DraftLink } from './draft-links.ts'
import { foldersOf } from './folders.ts'

const copy = newArchiveCopy.moving

export interface MoveDialogProps {
  count: number
  /** All links of the draft, whose folders are offered. */
  links: readonly DraftLink[]
  /** An empty folder is the top of the archive. */
  onMove: (folder: string) => void
  onClose: () => void
}

/** Asks for the folder that files go to. */
export function MoveDialog(props: MoveDialogProps) {
  const [folder, setFolder] = createSignal('')
  const listId = createUniqueId()
  const folders = createMemo(() => foldersOf(props.links).slice(0, MAX_OFFERED))
  const name = () =>
    folder()
      .split('/')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .join('/')
  return (
    <Dialog open title={copy.title(props.count)} onClose={() => props.onClose()}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          props.onMove(name())
          props.onClose()
        }}
      >
        <Field label={copy.folder}>
          {(id) => (
            <input
              id={id}
              type="text"
              list={listId}
              placeholder={copy.folderPlaceholder}
              autocomplete="off"
              spellcheck={false}
              maxlength={REQUEST_LIMITS.filenameCharacters / 2}
              onInput={(event) => setFolder(event.currentTarget.value)}
            />
          )}
        </Field>
        <datalist id={listId}>
          <For each={folders()}>{(folder) => <option value={folder} />}</For>
        </datalist>
        <DialogActions>
          <Button onClick={() => props.onClose()}>{controlsCopy.cancel}</Button>
          <Button type="submit" variant="primary">
            {name() === '' ? copy.moveToTop : copy.move}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** More than anybody looks through. */
const MAX_OFFERED = 200
