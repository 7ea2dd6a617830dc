import Download from 'lucide-solid/icons/download'
import TriangleAlert from 'lucide-solid/icons/triangle-alert'
import { Show } from 'solid-js'
import type { SharedFile } from '../api/types.ts'
import { iconButtonClass } from '../base/button.tsx'
import { formatBytes } from '../base/format.ts'
import { wordsOfService } from '../base/message.ts'
import { MessageTitle } from '../base/message-text.tsx'
import { useRowTabIndex } from '../base/row-focus.ts'
import { sharePageCopy } from '../language/english/share-page.ts'
import { fileUrl, nameWithoutFolders } from '../preview/packed-file.ts'
import { canPreview } from '../preview/preview-kind.ts'
import { Thumbnail } from '../preview/thumbnail.tsx'
import styles from './file-row.module.css'
import type { FileSelection } from './selection.ts'

export interface SharedFileRowProps {
  file: SharedFile
  depth: number
  token: string
  selection: FileSelection
  /** The row has the focus. */
  onFocus: () => void
  onPreview: () => void
}

/** A file: its name shows it if a browser can, and downloads it otherwise. */
export function SharedFileRow(props: SharedFileRowProps) {
  const tabIndex = useRowTabIndex()
  const name = () => nameWithoutFolders(props.file.name)
  const url = () => fileUrl(props.token, props.file.position)
  const canSelect = () => props.selection.isOn()
  return (
    <li
      class={styles.row}
      style={{ '--depth': props.depth }}
      data-key={props.file.position}
      onFocusIn={() => props.onFocus()}
    >
      <Show when={canSelect()}>
        <input
          type="checkbox"
          class={styles.checkbox}
          data-column="select"
          tabindex={tabIndex()}
          aria-label={props.file.name}
          checked={props.selection.has(props.file.position)}
          onChange={({ currentTarget }) => props.selection.set([props.file.position], currentTarget.checked)}
        />
      </Show>
      <Thumbnail file={props.file} token={props.token} />
      <span class={styles.text}>
        <Show
          when={canPreview(props.file)}
          fallback={
            <a
              class={styles.name}
              data-column="name"
              tabindex={tabIndex()}
              href={url()}
              download=""
              title={props.file.name}
            >
              {name()}
            </a>
          }
        >
          <button
            type="button"
            class={styles.name}
            data-column="name"
            tabindex={tabIndex()}
            title={props.file.name}
            onClick={() => props.onPreview()}
          >
            {name()}
          </button>
        </Show>
        <span class={styles.details}>
          {formatBytes(props.file.size)}
          <Show when={props.file.warning}>
            {(warning) => (
              <span class={styles.warning}>
                <TriangleAlert size={14} aria-hidden="true" />
                <MessageTitle title={wordsOfService(warning().message)}>
                  {warning().code === 'EMPTY' ? sharePageCopy.isEmpty : sharePageCopy.isPage}
                </MessageTitle>
              </span>
            )}
          </Show>
        </span>
      </span>
      <a
        class={iconButtonClass}
        data-column="download"
        tabindex={tabIndex()}
        href={url()}
        download=""
        aria-label={sharePageCopy.downloadFile(name())}
        title={sharePageCopy.downloadFile(name())}
      >
        <Download size={20} aria-hidden="true" />
      </a>
    </li>
  )
}
