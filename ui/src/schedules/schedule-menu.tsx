import { useNavigate } from '@solidjs/router'
import Ellipsis from 'lucide-solid/icons/ellipsis'
import Pause from 'lucide-solid/icons/pause'
import Pencil from 'lucide-solid/icons/pencil'
import Play from 'lucide-solid/icons/play'
import Trash from 'lucide-solid/icons/trash'
import Zap from 'lucide-solid/icons/zap'
import { createResource, createSignal, Show } from 'solid-js'
import { getRecentMe } from '../api/account.ts'
import { changeSchedule, deleteSchedule, runSchedule } from '../api/schedules.ts'
import type { ListedSchedule } from '../api/types.ts'
import { announce } from '../base/announcer.tsx'
import { ConfirmDialog } from '../base/confirm-dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '../base/menu.tsx'
import { messageOf } from '../base/message.ts'
import { showToast } from '../base/toasts.tsx'
import { schedulesCopy } from '../language/english/schedules.ts'
import { RepeatDialog } from '../repeat/repeat-dialog.tsx'

const copy = schedulesCopy.menu

export interface ScheduleMenuProps {
  schedule: ListedSchedule
  onChanged: () => void
  /** Stops the polling of the schedule while it is deleted. */
  stopFor: (remove: () => Promise<void>) => Promise<void>
  onDeleted: () => void
}

/** The menu of actions on a schedule. */
export function ScheduleMenu(props: ScheduleMenuProps) {
  const navigate = useNavigate()
  const [dialog, setDialog] = createSignal<'edit' | 'delete'>()
  const closeDialog = () => setDialog(undefined)
  const [me] = createResource(dialog, () => getRecentMe().catch(() => undefined))
  const isPaused = () => props.schedule.status === 'paused'

  async function attempt(action: () => Promise<unknown>, done?: string) {
    try {
      await action()
      if (done !== undefined) announce(done)
    } catch (error) {
      showToast({ text: messageOf(error) })
    }
    props.onChanged()
  }
  const runNow = () =>
    attempt(async () => {
      const jobId = await runSchedule(props.schedule.id)
      navigate(`/archives/${jobId}`)
    })
  const toggle = () => {
    const status = isPaused() ? 'active' : 'paused'
    return attempt(
      () => changeSchedule(props.schedule.id, { status }),
      isPaused() ? copy.resumed : copy.paused,
    )
  }
  async function remove() {
    await props.stopFor(() => deleteSchedule(props.schedule.id))
    closeDialog()
    props.onDeleted()
  }

  return (
    <>
      <Menu label={copy.actions(props.schedule.name)} icon={Ellipsis}>
        <MenuItem icon={Zap} onSelect={() => void runNow()}>
          {copy.runNow}
        </MenuItem>
        <MenuItem icon={isPaused() ? Play : Pause} onSelect={() => void toggle()}>
          {isPaused() ? copy.resume : copy.pause}
        </MenuItem>
        <MenuItem icon={Pencil} onSelect={() => setDialog('edit')}>
          {copy.edit}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={Trash} danger onSelect={() => setDialog('delete')}>
          {copy.remove}
        </MenuItem>
      </Menu>
      <Show when={dialog() === 'edit'}>
        <RepeatDialog
          title={copy.editing}
          name={props.schedule.name}
          schedule={props.schedule}
          minScheduleSeconds={me()?.limits.min_schedule_seconds ?? 0}
          onSave={async (settings) => {
            await changeSchedule(props.schedule.id, settings)
            props.onChanged()
          }}
          onClose={closeDialog}
        />
      </Show>
      <ConfirmDialog
        open={dialog() === 'delete'}
        title={copy.removing}
        action={copy.remove}
        busyAction={copy.busy}
        onConfirm={remove}
        onClose={closeDialog}
      >
        <p>{copy.removingText}</p>
      </ConfirmDialog>
    </>
  )
}
