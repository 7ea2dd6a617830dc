import { createVirtualizer } from '@tanstack/solid-virtual'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import { createMemo, For, Show } from 'solid-js'
import { likelyEntryName, numberDuplicates } from '../../../server/archive/entry-name.ts'
import { countOf, formatCount } from '../base/format.ts'
import { createSettled } from '../base/settled.ts'
import styles from './name-preview.module.css'
import type { Link } from './parse-links.ts'

/** The height of a row in name-preview.module.css. */
const ROW_PX = 28

/** The names that files will probably get, numbered where they collide; responses may still change them. */
export function NamePreview(props: { links: readonly Link[] }) {
  const settled = createSettled(() => props.links)
  const previews = createMemo(() => previewNames(settled()))
  const numbered = createMemo(() => previews().filter(({ isNumbered }) => isNumbered).length)
  let list: HTMLUListElement | undefined
  const rows = createVirtualizer({
    get count() {
      return previews().length
    },
    getScrollElement: () => list ?? null,
    estimateSize: () => ROW_PX,
    overscan: 8,
  })
  return (
    <details class={styles.preview}>
      <summary class={styles.fold}>
        <ChevronRight size={18} aria-hidden="true" />
        <span>Names in the archive</span>
        <span class={styles.aside}>
          {countOf(previews().length, 'file')}
          <Show when={numbered() > 0}> · {formatCount(numbered())} numbered</Show>
        </span>
      </summary>
      <p class={styles.note}>As the links tell them. A server may still give another name or an ending.</p>
      {/* Scrolls, so the keyboard must reach it. */}
      <ul
        ref={(element) => {
          list = element
        }}
        class={styles.list}
        style={{ '--rows-height': `${rows.getTotalSize()}px` }}
        tabindex="0"
        aria-label="Names in the archive"
      >
        <For each={rows.getVirtualItems()}>
          {(row) => (
            <li
              aria-setsize={previews().length}
              aria-posinset={row.index + 1}
              class={styles.row}
              style={{ transform: `translateY(${row.start}px)` }}
            >
              <span class={styles.number}>{formatCount(row.index + 1)}</span>
              <span class={styles.name} data-numbered={previews()[row.index]?.isNumbered ? '' : undefined}>
                {previews()[row.index]?.name}
              </span>
            </li>
          )}
        </For>
      </ul>
    </details>
  )
}

interface NamePreviewRow {
  readonly name: string
  /** Another link has the same name. */
  readonly isNumbered: boolean
}

function previewNames(links: readonly Link[]): NamePreviewRow[] {
  const likely = links.map((link) => likelyEntryName(link, null))
  return numberDuplicates(likely).map((name, index) => ({ name, isNumbered: name !== likely[index] }))
}
