import Ban from 'lucide-solid/icons/ban'
import Download from 'lucide-solid/icons/download'
import Ellipsis from 'lucide-solid/icons/ellipsis'
import ListRestart from 'lucide-solid/icons/list-restart'
import RotateCw from 'lucide-solid/icons/rotate-cw'
import Trash from 'lucide-solid/icons/trash'
import { Show } from 'solid-js'
import type { JobListItem } from '../api/types.ts'
import { Menu, MenuItem, MenuLine } from '../base/menu.tsx'
import { cancelWithUndo, deleteWithUndo, download, retry } from './actions.ts'
import { type ArchiveState, isActive } from './archive-state.ts'

export interface ArchiveMenuProps {
  job: JobListItem
  state: ArchiveState
  /** Something was done that changes the job, for who does not follow it. */
  onChanged?: () => void
  onDeleted?: () => void
}

/** All that can be done with an archive beside looking at it and downloading it. */
export function ArchiveMenu(props: ArchiveMenuProps) {
  const changing = (action: Promise<void>) => void action.then(() => props.onChanged?.())
  const remove = () => {
    deleteWithUndo(props.job.id, props.job.zip_filename)
    props.onDeleted?.()
  }
  return (
    <Menu label={`More for ${props.job.zip_filename}`} icon={Ellipsis}>
      <Show when={props.state === 'ready'}>
        <MenuItem icon={Download} onSelect={() => void download(props.job.id)}>
          Download
        </MenuItem>
        <MenuLine />
      </Show>
      <Show when={props.job.status === 'failed'}>
        <MenuItem icon={RotateCw} onSelect={() => changing(retry(props.job.id))}>
          {props.state === 'cancelled' ? 'Continue' : 'Try again'}
        </MenuItem>
        <MenuItem
          icon={ListRestart}
          onSelect={() => changing(retry(props.job.id, { from_checkpoint: false }))}
        >
          Start over
        </MenuItem>
        <MenuLine />
      </Show>
      <Show when={isActive(props.job)}>
        <MenuItem icon={Ban} onSelect={() => changing(cancelWithUndo(props.job.id, props.job.zip_filename))}>
          Cancel
        </MenuItem>
        <MenuLine />
      </Show>
      <MenuItem icon={Trash} danger onSelect={remove}>
        Delete
      </MenuItem>
    </Menu>
  )
}
