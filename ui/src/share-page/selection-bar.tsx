import Download from 'lucide-solid/icons/download'
import { createMemo, Show } from 'solid-js'
import type { SharedFile } from '../api/types.ts'
import { BottomBar } from '../base/bottom-bar.tsx'
import { Button, DownloadLink } from '../base/button.tsx'
import { formatBytes } from '../base/format.ts'
import { baseCopy } from '../language/english/base.ts'
import { sharePageCopy } from '../language/english/share-page.ts'
import type { FileSelection } from './selection.ts'
import styles from './selection-bar.module.css'
import { selectionLink } from './selection-link.ts'

export interface SelectionBarProps {
  files: readonly SharedFile[]
  token: string
  selection: FileSelection
}

/** How much is selected, and the ZIP with it. */
export function FileSelectionBar(props: SelectionBarProps) {
  const selected = createMemo(() => props.files.filter(({ position }) => props.selection.has(position)))
  const bytes = () => selected().reduce((sum, { size }) => sum + size, 0)
  const link = createMemo(() =>
    selected().length === 0 ? null : selectionLink(props.token, props.files, props.selection.has),
  )
  return (
    <BottomBar>
      <div class={styles.bar}>
        <p class={styles.text} role="status">
          {selected().length === 0
            ? sharePageCopy.selectFiles
            : `${baseCopy.files(selected().length)} · ${formatBytes(bytes())}`}
          <Show when={selected().length > 0 && link() === null}>
            <br />
            {sharePageCopy.tooMany}
          </Show>
        </p>
        <Button variant="ghost" onClick={() => props.selection.end()}>
          {sharePageCopy.cancel}
        </Button>
        <Show
          when={link()}
          fallback={
            <Button variant="primary" aria-disabled="true">
              {sharePageCopy.downloadZip}
            </Button>
          }
        >
          {(link) => (
            <DownloadLink variant="primary" href={link()}>
              <Download size={18} aria-hidden="true" />
              {sharePageCopy.downloadZip}
            </DownloadLink>
          )}
        </Show>
      </div>
    </BottomBar>
  )
}
