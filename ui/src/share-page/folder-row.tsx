import Download from 'lucide-solid/icons/download'
import { createMemo, Show } from 'solid-js'
import type { SharedFile } from '../api/types.ts'
import { iconButtonClass } from '../base/button.tsx'
import type { Folder } from '../base/file-tree.ts'
import { FolderToggle } from '../base/folder-toggle.tsx'
import { formatBytes } from '../base/format.ts'
import { showMixed } from '../base/mixed-checkbox.ts'
import { useRowTabIndex } from '../base/row-focus.ts'
import { baseCopy } from '../language/english/base.ts'
import { sharePageCopy } from '../language/english/share-page.ts'
import styles from './file-row.module.css'
import type { FileSelection } from './selection.ts'
import { selectionLink } from './selection-link.ts'

export interface SharedFolderRowProps {
  folder: Folder<SharedFile>
  /** All files of the archive. */
  files: readonly SharedFile[]
  token: string
  isOpen: boolean
  selection: FileSelection
  onToggle: () => void
  /** The row has the focus. */
  onFocus: () => void
}

/** A folder, which can be folded, selected, and downloaded as a ZIP of its own. */
export function SharedFolderRow(props: SharedFolderRowProps) {
  const tabIndex = useRowTabIndex()
  const positions = createMemo(() => props.folder.files.map(({ position }) => position))
  const bytes = () => props.folder.files.reduce((sum, { size }) => sum + size, 0)
  const selectedCount = () => positions().filter(props.selection.has).length
  const link = createMemo(() => {
    const inFolder = new Set(positions())
    return selectionLink(props.token, props.files, (position) => inFolder.has(position))
  })
  const label = () => sharePageCopy.downloadFolder(props.folder.name)
  return (
    <li
      class={styles.row}
      style={{ '--depth': props.folder.depth }}
      data-key={props.folder.path}
      onFocusIn={() => props.onFocus()}
    >
      <Show when={props.selection.isOn()}>
        <input
          type="checkbox"
          class={styles.checkbox}
          data-column="select"
          tabindex={tabIndex()}
          aria-label={sharePageCopy.folder(props.folder.path)}
          checked={selectedCount() === positions().length}
          ref={(box) => showMixed(box, () => selectedCount() > 0 && selectedCount() < positions().length)}
          onChange={({ currentTarget }) => props.selection.set(positions(), currentTarget.checked)}
        />
      </Show>
      <FolderToggle
        name={props.folder.name}
        details={`${baseCopy.files(props.folder.files.length)} · ${formatBytes(bytes())}`}
        isOpen={props.isOpen}
        onToggle={() => props.onToggle()}
      />
      <Show when={link()}>
        {(link) => (
          <a
            class={iconButtonClass}
            data-column="download"
            tabindex={tabIndex()}
            href={link()}
            download=""
            aria-label={label()}
            title={label()}
          >
            <Download size={20} aria-hidden="true" />
          </a>
        )}
      </Show>
    </li>
  )
}
