import Ellipsis from 'lucide-solid/icons/ellipsis'
import KeyRound from 'lucide-solid/icons/key-round'
import Trash from 'lucide-solid/icons/trash'
import { createSignal, Show } from 'solid-js'
import type { Webhook, WebhookWithSecret } from '../api/types.ts'
import { deleteWebhook, rotateSecret } from '../api/webhooks.ts'
import { Alert } from '../base/alert.tsx'
import { ConfirmDialog } from '../base/confirm-dialog.tsx'
import { formatDateTime } from '../base/format.ts'
import { Menu, MenuItem, MenuSeparator } from '../base/menu.tsx'
import { serviceNow } from '../base/now.ts'
import { PageHeader } from '../base/page.tsx'
import { eventsLabel } from './webhook-events.ts'
import styles from './webhook-header.module.css'

export interface WebhookHeaderProps {
  webhook: Webhook
  onRotated: (webhook: WebhookWithSecret) => void
  /** Stops the polling of the webhook while it is deleted. */
  stopFor: (remove: () => Promise<void>) => Promise<void>
  onDeleted: () => void
}

/** The URL of a webhook and the actions on it, and why it is disabled if it is. */
export function WebhookHeader(props: WebhookHeaderProps) {
  const [dialog, setDialog] = createSignal<'rotate' | 'delete'>()
  const closeDialog = () => setDialog(undefined)

  async function rotate() {
    props.onRotated(await rotateSecret(props.webhook.id))
    closeDialog()
  }
  async function remove() {
    await props.stopFor(() => deleteWebhook(props.webhook.id))
    closeDialog()
    props.onDeleted()
  }

  return (
    <>
      <PageHeader
        title={props.webhook.url}
        isFileName
        lead={`Notified of ${eventsLabel(props.webhook.events).toLowerCase()}`}
      >
        <Menu label={`Actions for ${props.webhook.url}`} icon={Ellipsis}>
          <MenuItem icon={KeyRound} onSelect={() => setDialog('rotate')}>
            New secret
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={Trash} danger onSelect={() => setDialog('delete')}>
            Delete
          </MenuItem>
        </Menu>
      </PageHeader>
      <Show when={props.webhook.disabled_reason}>
        {(reason) => (
          <Alert tone="warning">
            <p class={styles.disabled}>
              Disabled {formatDateTime(props.webhook.disabled_at ?? props.webhook.created_at, serviceNow())}
            </p>
            <p>{REASONS[reason()]} Send a test to enable it again.</p>
          </Alert>
        )}
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
        title="Delete this webhook?"
        action="Delete webhook"
        busyAction="Deleting…"
        onConfirm={remove}
        onClose={closeDialog}
      >
        <p>Nothing is sent to its URL from now on, and its deliveries are deleted. This can’t be undone.</p>
      </ConfirmDialog>
    </>
  )
}

const REASONS: Readonly<Record<NonNullable<Webhook['disabled_reason']>, string>> = {
  gone: 'The receiver answered that it is gone for good (410).',
  no_success: 'No message was accepted for five days.',
}
