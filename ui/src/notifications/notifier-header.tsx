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
import { NotifierDialog } from './notifier-dialog.tsx'
import styles from './notifier-header.module.css'
import { targetOf } from './notifier-kinds.ts'
import { occasionsLabel } from './occasions.ts'

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
      <PageHeader
        title={targetOf(props.notifier)}
        isFileName
        lead={`Told of ${occasionsLabel(props.notifier.on).toLowerCase()}`}
      >
        <Menu label={`Actions for ${targetOf(props.notifier)}`} icon={Ellipsis}>
          <MenuItem icon={Pencil} onSelect={() => setDialog('edit')}>
            Edit
          </MenuItem>
          <Show when={props.notifier.kind === 'webhook'}>
            <MenuItem icon={KeyRound} onSelect={() => setDialog('rotate')}>
              New secret
            </MenuItem>
          </Show>
          <MenuSeparator />
          <MenuItem icon={Trash} danger onSelect={() => setDialog('delete')}>
            Delete
          </MenuItem>
        </Menu>
      </PageHeader>
      <Show when={props.notifier.disabled_reason}>
        {(reason) => (
          <Alert tone="warning">
            <p class={styles.disabled}>
              Disabled {formatDateTime(props.notifier.disabled_at ?? props.notifier.created_at, serviceNow())}
            </p>
            <p>{REASONS[reason()]} Send a test to enable it again.</p>
          </Alert>
        )}
      </Show>
      <Show when={dialog() === 'edit'}>
        <NotifierDialog notifier={props.notifier} onSaved={() => props.onChanged()} onClose={closeDialog} />
      </Show>
      <ConfirmDialog
        open={dialog() === 'rotate'}
        title="Create a new secret?"
        action="Create secret"
        busyAction="Creating…"
        isHarmless
        onConfirm={rotate}
        onClose={closeDialog}
      >
        <p>For 24 hours, messages are signed with the old secret, too, so that you have time to change it.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={dialog() === 'delete'}
        title={props.notifier.kind === 'webhook' ? 'Delete this webhook?' : 'Delete this notification?'}
        action="Delete"
        busyAction="Deleting…"
        onConfirm={remove}
        onClose={closeDialog}
      >
        <p>Nothing is sent there from now on, and its deliveries are deleted. This can’t be undone.</p>
      </ConfirmDialog>
    </>
  )
}

const REASONS: Readonly<Record<NonNullable<Notifier['disabled_reason']>, string>> = {
  gone: 'The receiver has refused for good.',
  no_success: 'No message was accepted for five days.',
}
