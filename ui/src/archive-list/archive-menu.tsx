import Ban from 'lucide-solid/icons/ban'
import Download from 'lucide-solid/icons/download'
import Ellipsis from 'lucide-solid/icons/ellipsis'
import ListRestart from 'lucide-solid/icons/list-restart'
import Pencil from 'lucide-solid/icons/pencil'
import RotateCw from 'lucide-solid/icons/rotate-cw'
import SquareTerminal from 'lucide-solid/icons/square-terminal'
import Trash from 'lucide-solid/icons/trash'
import { createSignal, Show } from 'solid-js'
import type { JobListItem } from '../api/types.ts'
import { copyText } from '../base/clipboard.ts'
import { lazyPart } from '../base/lazy-part.tsx'
import { Menu, MenuItem, MenuSeparator } from '../base/menu.tsx'
import { showToast } from '../base/toasts.tsx'
import { archiveListCopy } from '../language/english/archive-list.ts'
import { baseCopy } from '../language/english/base.ts'
import { cancelWithUndo, deleteWithUndo, download, retry } from './archive-actions.ts'
import { type ArchiveState, isActive } from './archive-state.ts'
import { curlCommand } from './curl-command.ts'

const EditArchiveDialog = lazyPart(async () => (await import('./edit-archive-dialog.tsx')).EditArchiveDialog)

export interface ArchiveMenuProps {
  job: JobListItem
  state: ArchiveState
  /** Where a ready archive can be downloaded, if that is known. */
  downloadUrl?: string | undefined
  /** Called after an action that changes the job, for parents that get no event about it. */
  onChanged?: () => void
  onDeleted?: () => void
}

/** The menu of actions on an archive. */
export function ArchiveMenu(props: ArchiveMenuProps) {
  const [isEditing, setEditing] = createSignal(false)
  const copy = archiveListCopy.menu
  const run = (action: Promise<void>) => void action.then(() => props.onChanged?.())
  const remove = () => {
    deleteWithUndo([props.job])
    props.onDeleted?.()
  }
  return (
    <>
      <Menu label={copy.title(props.job.zip_filename)} icon={Ellipsis}>
        <Show when={props.state === 'ready'}>
          <MenuItem icon={Download} onSelect={() => void download(props.job.id)}>
            {copy.download}
          </MenuItem>
          <Show when={props.downloadUrl}>
            {(url) => (
              <MenuItem
                icon={SquareTerminal}
                onSelect={() => void copyCommand(url(), props.job.zip_filename)}
              >
                {copy.copyCommand}
              </MenuItem>
            )}
          </Show>
          <MenuSeparator />
        </Show>
        <Show when={props.job.status === 'failed'}>
          <MenuItem icon={RotateCw} onSelect={() => run(retry(props.job.id))}>
            {props.state === 'cancelled' ? copy.continue : copy.tryAgain}
          </MenuItem>
          <MenuItem icon={ListRestart} onSelect={() => run(retry(props.job.id, { from_checkpoint: false }))}>
            {copy.startOver}
          </MenuItem>
          <MenuSeparator />
        </Show>
        <Show when={isActive(props.job)}>
          <MenuItem icon={Ban} onSelect={() => run(cancelWithUndo(props.job.id, props.job.zip_filename))}>
            {copy.cancel}
          </MenuItem>
          <MenuSeparator />
        </Show>
        <Show when={props.state !== 'expired'}>
          <MenuItem icon={Pencil} onSelect={() => setEditing(true)}>
            {copy.edit}
          </MenuItem>
        </Show>
        <MenuItem icon={Trash} danger onSelect={remove}>
          {copy.delete}
        </MenuItem>
      </Menu>
      <Show when={isEditing()}>
        <EditArchiveDialog
          job={props.job}
          onChanged={() => props.onChanged?.()}
          onClose={() => setEditing(false)}
        />
      </Show>
    </>
  )
}

async function copyCommand(url: string, filename: string): Promise<void> {
  const isCopied = await copyText(curlCommand(url, filename))
  showToast({ text: isCopied ? archiveListCopy.menu.commandCopied : baseCopy.copyRefused })
}
