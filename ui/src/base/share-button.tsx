import Share2 from 'lucide-solid/icons/share-2'
import { createSignal, Show } from 'solid-js'
import { sharingCopy } from '../language/english/sharing.ts'
import { Button } from './button.tsx'
import { lazyPart } from './lazy-part.tsx'

const ShareDialog = lazyPart(async () => (await import('./share-dialog.tsx')).ShareDialog)

/** Opens what belongs to giving an archive to others. */
export function ShareButton(props: { url: string; expiresAt: string | null }) {
  const [isOpen, setOpen] = createSignal(false)
  return (
    <>
      <Button size="large" onClick={() => setOpen(true)}>
        <Share2 size={18} aria-hidden="true" />
        <span data-label="">{sharingCopy.share}</span>
      </Button>
      <Show when={isOpen()}>
        <ShareDialog url={props.url} expiresAt={props.expiresAt} onClose={() => setOpen(false)} />
      </Show>
    </>
  )
}
