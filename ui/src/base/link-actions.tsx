import QrCodeIcon from 'lucide-solid/icons/qr-code'
import { createSignal, Show } from 'solid-js'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { lazyPart } from './lazy-part.tsx'

const QrDialog = lazyPart(async () => (await import('./qr-dialog.tsx')).QrDialog)

/** The ways to pass a link on: copy it, or show it as a QR code. */
export function LinkActions(props: { url: string }) {
  const [isShowingCode, setShowingCode] = createSignal(false)
  return (
    <>
      <CopyButton size="large" label="Copy link" text={() => props.url} />
      <Button size="large" aria-label="QR code" title="QR code" onClick={() => setShowingCode(true)}>
        <QrCodeIcon size={20} aria-hidden="true" />
      </Button>
      <Show when={isShowingCode()}>
        <QrDialog url={props.url} onClose={() => setShowingCode(false)} />
      </Show>
    </>
  )
}
