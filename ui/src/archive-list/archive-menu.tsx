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
  const run = (action: Promise<void>) => void action.then(() => props.onChanged?.())
  const remove = () => {
    deleteWithUndo([props.job])
    props.onDeleted?.()
  }
  return (
    <>
      <Menu label={`Actions for ${props.job.zip_filename}`} icon={Ellipsis}>
        <Show when={props.state === 'ready'}>
          <MenuItem icon={Download} onSelect={() => void download(props.job.id)}>
            Download
          </MenuItem>
          <Show when={props.downloadUrl}>
            {(url) => (
              <MenuItem
                icon={SquareTerminal}
                onSelect={() => void copyCommand(url(), props.job.zip_filename)}
              >
                Copy curl command
              </MenuItem>
            )}
          </Show>
          <MenuSeparator />
        </Show>
        <Show when={props.job.status === 'failed'}>
          <MenuItem icon={RotateCw} onSelect={() => run(retry(props.job.id))}>
            {props.state === 'cancelled' ? 'Continue' : 'Try again'}
          </MenuItem>
          <MenuItem icon={ListRestart} onSelect={() => run(retry(props.job.id, { from_checkpoint: false }))}>
            Start over
          </MenuItem>
          <MenuSeparator />
        </Show>
        <Show when={isActive(props.job)}>
          <MenuItem icon={Ban} onSelect={() => run(cancelWithUndo(props.job.id, props.job.zip_filename))}>
            Cancel
          </MenuItem>
          <MenuSeparator />
        </Show>
        <Show when={props.state !== 'expired'}>
          <MenuItem icon={Pencil} onSelect={() => setEditing(true)}>
            Rename or keep longer
          </MenuItem>
        </Show>
        <MenuItem icon={Trash} danger onSelect={remove}>
          Delete
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
  showToast({ text: isCopied ? 'Command copied' : 'Your browser didn’t allow copying.' })
}
