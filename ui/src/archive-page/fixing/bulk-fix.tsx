import { createSignal, Show } from 'solid-js'
import type { Entry } from '../../api/types.ts'
import { Button } from '../../base/button.tsx'
import { lazyPart } from '../../base/lazy-part.tsx'
import { archivePageCopy } from '../../language/english/archive-page.ts'
import type { LinkFixes } from './link-fixes.ts'

const BulkFixDialog = lazyPart(async () => (await import('./bulk-fix-dialog.tsx')).BulkFixDialog)

/** Opens the dialog that changes many failed links in one step. */
export function BulkFix(props: { failed: readonly Entry[]; fixes: LinkFixes }) {
  const [isOpen, setOpen] = createSignal(false)
  return (
    <>
      <Button variant="ghost" onClick={() => setOpen(true)}>
        {archivePageCopy.bulk.title}
      </Button>
      <Show when={isOpen()}>
        <BulkFixDialog failed={props.failed} fixes={props.fixes} onClose={() => setOpen(false)} />
      </Show>
    </>
  )
}
