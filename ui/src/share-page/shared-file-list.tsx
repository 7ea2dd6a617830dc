import { createVirtualizer } from '@tanstack/solid-virtual'
import Download from 'lucide-solid/icons/download'
import { createEffect, createMemo, For, on, Show } from 'solid-js'
import type { SharedFile } from '../api/types.ts'
import { iconButtonClass } from '../base/button.tsx'
import { formatBytes } from '../base/format.ts'
import styles from './shared-file-list.module.css'

/** The height of a row in shared-file-list.module.css, in rem. */
const ROW_REM = 3

export interface SharedFileListProps {
  files: readonly SharedFile[]
  token: string
  /** The file to show and focus. Each new object shows it again. */
  target: { readonly index: number } | null
  onHighlight: (index: number | null) => void
}

/** The files, each of which can be downloaded by itself. Only the rows in view are in the document. */
export function SharedFileList(props: SharedFileListProps) {
  let scroller: HTMLElement | undefined
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const rows = createVirtualizer({
    get count() {
      return props.files.length
    },
    getScrollElement: () => scroller ?? null,
    estimateSize: () => ROW_REM * rem,
    overscan: 8,
  })
  /** Numbers, so that a row stays where it is. */
  const shown = createMemo(() => rows.getVirtualItems().map(({ index }) => index))

  createEffect(
    on(
      () => props.target,
      (target) => {
        if (target === null) return
        rows.scrollToIndex(target.index, { align: 'center' })
        requestAnimationFrame(() => {
          scroller?.scrollIntoView({ block: 'nearest' })
          scroller
            ?.querySelector<HTMLElement>(`[data-index="${target.index}"] a`)
            ?.focus({ preventScroll: true })
        })
      },
    ),
  )

  return (
    // Focusable, so that it can be scrolled by keyboard.
    <section ref={scroller} class={styles.scroller} tabindex="0" aria-label="Files">
      <ul class={styles.list} style={{ height: `${rows.getTotalSize()}px` }}>
        <For each={shown()}>
          {(index) => (
            <Show when={props.files[index]}>
              {(file) => (
                <li
                  class={styles.row}
                  style={{ top: `${index * ROW_REM * rem}px` }}
                  data-index={index}
                  aria-posinset={index + 1}
                  aria-setsize={props.files.length}
                  onPointerEnter={() => props.onHighlight(index)}
                  onPointerLeave={() => props.onHighlight(null)}
                  onFocusIn={() => props.onHighlight(index)}
                  onFocusOut={() => props.onHighlight(null)}
                >
                  <span class={styles.name} title={file().name}>
                    {file().name}
                  </span>
                  <span class={styles.size}>{formatBytes(file().size)}</span>
                  <DownloadFile file={file()} token={props.token} />
                </li>
              )}
            </Show>
          )}
        </For>
      </ul>
    </section>
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
