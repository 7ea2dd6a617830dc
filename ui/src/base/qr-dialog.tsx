import { sharingCopy } from '../language/english/sharing.ts'
import { CopyButton } from './copy-button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { LocalLinkNotice } from './local-link.tsx'
import { QrCode } from './qr-code.tsx'
import styles from './qr-dialog.module.css'

/** A link as a QR code, as text, and to copy. */
export function QrDialog(props: { url: string; onClose: () => void }) {
  return (
    <Dialog open title={sharingCopy.qrCode} onClose={() => props.onClose()}>
      <p>{sharingCopy.scan}</p>
      <QrCode text={props.url} label={sharingCopy.qrCodeOfLink} />
      <p class={styles.url}>{props.url}</p>
      <LocalLinkNotice url={props.url} />
      <DialogActions>
        <CopyButton label={sharingCopy.copyLink} text={() => props.url} />
      </DialogActions>
    </Dialog>
  )
}
