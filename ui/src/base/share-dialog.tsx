import ExternalLink from 'lucide-solid/icons/external-link'
import { sharingCopy } from '../language/english/sharing.ts'
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
    <Dialog open title={sharingCopy.share} onClose={() => props.onClose()}>
      <p>
        {props.expiresAt === null
          ? sharingCopy.shareWhenReady
          : sharingCopy.shareUntil(formatDateTime(props.expiresAt, serviceNow()))}
      </p>
      <div class={styles.link}>
        <Field label={sharingCopy.link}>
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
        <CopyButton variant="primary" label={sharingCopy.copyLink} text={() => props.url} />
      </div>
      <LocalLinkNotice url={props.url} />
      <QrCode text={props.url} label={sharingCopy.qrCodeOfLink} />
      <p class={styles.hint}>{sharingCopy.scan}</p>
      <p>
        <a class={styles.open} href={props.url} target="_blank" rel="noreferrer">
          <ExternalLink size={16} aria-hidden="true" />
          {sharingCopy.openAsReceiver}
        </a>
      </p>
    </Dialog>
  )
}
