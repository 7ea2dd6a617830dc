import QrCodeIcon from 'lucide-solid/icons/qr-code'
import { createSignal, Show } from 'solid-js'
import { sharingCopy } from '../language/english/sharing.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { isLocalLink } from './is-local-link.ts'
import { lazyPart } from './lazy-part.tsx'
import { showToast } from './toasts.tsx'

const QrDialog = lazyPart(async () => (await import('./qr-dialog.tsx')).QrDialog)

const LocalLinkDialog = lazyPart(async () => (await import('./local-link-dialog.tsx')).LocalLinkDialog)

/** The ways to pass a link on: copy it, or show it as a QR code. */
export function LinkActions(props: { url: string }) {
  const [isShowingCode, setShowingCode] = createSignal(false)
  const [isHelping, setHelping] = createSignal(false)
  function warn() {
    if (!isLocalLink(props.url)) return
    showToast({
      text: sharingCopy.onlyHere,
      action: { label: sharingCopy.howToChange, run: () => setHelping(true) },
    })
  }
  return (
    <>
      <CopyButton size="large" label={sharingCopy.copyLink} text={() => props.url} onCopied={warn} />
      <Button
        size="large"
        aria-label={sharingCopy.qrCode}
        title={sharingCopy.qrCode}
        onClick={() => setShowingCode(true)}
      >
        <QrCodeIcon size={20} aria-hidden="true" />
      </Button>
      <Show when={isShowingCode()}>
        <QrDialog url={props.url} onClose={() => setShowingCode(false)} />
      </Show>
      <Show when={isHelping()}>
        <LocalLinkDialog url={props.url} onClose={() => setHelping(false)} />
      </Show>
    </>
  )
}
