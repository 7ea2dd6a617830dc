import Download from 'lucide-solid/icons/download'
import TriangleAlert from 'lucide-solid/icons/triangle-alert'
import { Show } from 'solid-js'
import type { SharedFile } from '../api/types.ts'
import { iconButtonClass } from '../base/button.tsx'
import { formatBytes } from '../base/format.ts'
import { type RowTarget, VirtualList } from '../base/virtual-list.tsx'
import styles from './shared-file-list.module.css'

export interface SharedFileListProps {
  files: readonly SharedFile[]
  token: string
  target: RowTarget | null
  onHighlight: (index: number | null) => void
}

/** The files, each of which can be downloaded by itself. */
export function SharedFileList(props: SharedFileListProps) {
  return (
    <VirtualList
      label="Files"
      items={props.files}
      rowClass={styles.row}
      target={props.target}
      onHighlight={props.onHighlight}
    >
      {(file) => (
        <>
          <span class={styles.file}>
            <span class={styles.name} title={file().name}>
              {file().name}
            </span>
            <Show when={file().warning}>
              {(warning) => (
                <span class={styles.warning} title={warning().message}>
                  <TriangleAlert size={14} aria-hidden="true" />
                  {warning().code === 'EMPTY' ? 'Empty' : 'Web page'}
                </span>
              )}
            </Show>
          </span>
          <span class={styles.size}>{formatBytes(file().size)}</span>
          <DownloadFile file={file()} token={props.token} />
        </>
      )}
    </VirtualList>
  )
}

function DownloadFile(props: { file: SharedFile; token: string }) {
  const label = () => `Download ${props.file.name}`
  return (
    <a
      class={iconButtonClass}
      href={`/download/${props.token}/entries/${props.file.position}`}
      download=""
      aria-label={label()}
      title={label()}
    >
      <Download size={20} aria-hidden="true" />
    </a>
  )
}
