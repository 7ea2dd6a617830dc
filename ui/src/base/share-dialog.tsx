import ExternalLink from 'lucide-solid/icons/external-link'
import { Show } from 'solid-js'
import { CopyButton } from './copy-button.tsx'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { formatDateTime } from './format.ts'
import { LocalLinkNotice } from './local-link.tsx'
import { serviceNow } from './now.ts'
import { QrCode } from './qr-code.tsx'
import styles from './share-dialog.module.css'

export interface ShareDialogProps {
  url: string
  /** When the link ends; null while that is not known. */
  expiresAt: string | null
  onClose: () => void
}

/** All that belongs to giving an archive to others: its link, as text and as a QR code, how long it works, and how it looks. */
export function ShareDialog(props: ShareDialogProps) {
  return (
    <Dialog open title="Share" onClose={() => props.onClose()}>
      <p>
        Anyone with this link can download the archive
        <Show when={props.expiresAt} fallback=" as soon as it is ready">
          {(expiresAt) => <> until {formatDateTime(expiresAt(), serviceNow())}</>}
        </Show>
        .
      </p>
      <div class={styles.link}>
        <Field label="Link">
          {(id) => (
            <input
              id={id}
              type="url"
              readonly
              value={props.url}
              onFocus={(event) => event.currentTarget.select()}
            />
          )}
        </Field>
        <CopyButton variant="primary" label="Copy link" text={() => props.url} />
      </div>
      <LocalLinkNotice url={props.url} />
      <QrCode text={props.url} label="QR code of the link" />
      <p class={styles.hint}>Scan the code with a phone to open the link there.</p>
      <p>
        <a class={styles.open} href={props.url} target="_blank" rel="noreferrer">
          <ExternalLink size={16} aria-hidden="true" />
          Open as the receiver sees it
        </a>
      </p>
    </Dialog>
  )
}
