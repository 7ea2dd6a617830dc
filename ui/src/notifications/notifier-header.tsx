import Ellipsis from 'lucide-solid/icons/ellipsis'
import KeyRound from 'lucide-solid/icons/key-round'
import Pencil from 'lucide-solid/icons/pencil'
import Trash from 'lucide-solid/icons/trash'
import { createSignal, Show } from 'solid-js'
import { deleteNotifier, rotateSecret } from '../api/notifiers.ts'
import type { Notifier, WebhookWithSecret } from '../api/types.ts'
import { Alert } from '../base/alert.tsx'
import { ConfirmDialog } from '../base/confirm-dialog.tsx'
import { formatDateTime } from '../base/format.ts'
import { Menu, MenuItem, MenuSeparator } from '../base/menu.tsx'
import { serviceNow } from '../base/now.ts'
import { PageHeader } from '../base/page.tsx'
import { notificationsCopy } from '../language/english/notifications.ts'
import { NotifierDialog } from './notifier-dialog.tsx'
import styles from './notifier-header.module.css'
import { targetOf } from './notifier-kinds.ts'
import { toldOf } from './occasions.ts'

const { page: copy, rotating, deleting } = notificationsCopy

export interface NotifierHeaderProps {
  notifier: Notifier
  onChanged: () => void
  onRotated: (webhook: WebhookWithSecret) => void
  /** Stops the polling of the notifier while it is deleted. */
  stopFor: (remove: () => Promise<void>) => Promise<void>
  onDeleted: () => void
}

/** Where a notifier tells and the actions on it, and why it is disabled if it is. */
export function NotifierHeader(props: NotifierHeaderProps) {
  const [dialog, setDialog] = createSignal<'edit' | 'rotate' | 'delete'>()
  const closeDialog = () => setDialog(undefined)

  async function rotate() {
    props.onRotated(await rotateSecret(props.notifier.id))
    closeDialog()
  }
  async function remove() {
    await props.stopFor(() => deleteNotifier(props.notifier.id))
    closeDialog()
    props.onDeleted()
  }

  return (
    <>
      <PageHeader title={targetOf(props.notifier)} isFileName lead={toldOf(props.notifier.on)}>
        <Menu label={copy.actions(targetOf(props.notifier))} icon={Ellipsis}>
          <MenuItem icon={Pencil} onSelect={() => setDialog('edit')}>
            {copy.edit}
          </MenuItem>
          <Show when={props.notifier.kind === 'webhook'}>
            <MenuItem icon={KeyRound} onSelect={() => setDialog('rotate')}>
              {copy.rotate}
            </MenuItem>
          </Show>
          <MenuSeparator />
          <MenuItem icon={Trash} danger onSelect={() => setDialog('delete')}>
            {copy.delete}
          </MenuItem>
        </Menu>
      </PageHeader>
      <Show when={props.notifier.disabled_reason}>
        {(reason) => (
          <Alert tone="warning">
            <p class={styles.disabled}>
              {copy.disabled(
                formatDateTime(props.notifier.disabled_at ?? props.notifier.created_at, serviceNow()),
              )}
            </p>
            <p>{copy.reasons[reason()]}</p>
          </Alert>
        )}
      </Show>
      <Show when={dialog() === 'edit'}>
        <NotifierDialog notifier={props.notifier} onSaved={() => props.onChanged()} onClose={closeDialog} />
      </Show>
      <ConfirmDialog
        open={dialog() === 'rotate'}
        title={rotating.title}
        action={rotating.action}
        busyAction={rotating.busy}
        isHarmless
        onConfirm={rotate}
        onClose={closeDialog}
      >
        <p>{rotating.text}</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={dialog() === 'delete'}
        title={props.notifier.kind === 'webhook' ? deleting.webhook : deleting.other}
        action={deleting.action}
        busyAction={deleting.busy}
        onConfirm={remove}
        onClose={closeDialog}
      >
        <p>{deleting.text}</p>
      </ConfirmDialog>
    </>
  )
}
