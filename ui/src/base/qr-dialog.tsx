import { CopyButton } from './copy-button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { LocalLinkNotice } from './local-link.tsx'
import { QrCode } from './qr-code.tsx'
import styles from './qr-dialog.module.css'

/** A link as a QR code, as text, and to copy. */
export function QrDialog(props: { url: string; onClose: () => void }) {
  return (
    <Dialog open title="QR code" onClose={() => props.onClose()}>
      <p>Scan it with a phone to open the link there.</p>
      <QrCode text={props.url} label="QR code of the link" />
      <p class={styles.url}>{props.url}</p>
      <LocalLinkNotice url={props.url} />
      <DialogActions>
        <CopyButton label="Copy link" text={() => props.url} />
      </DialogActions>
    </Dialog>
  )
}
