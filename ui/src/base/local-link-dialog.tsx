import { sharingCopy } from '../language/english/sharing.ts'
import { Dialog } from './dialog.tsx'
import { LocalLinkNotice } from './local-link.tsx'

/** How to make a link that others can open. */
export function LocalLinkDialog(props: { url: string; onClose: () => void }) {
  return (
    <Dialog open title={sharingCopy.linkForOthers} onClose={() => props.onClose()}>
      <LocalLinkNotice url={props.url} />
    </Dialog>
  )
}
