import { createVirtualizer } from '@tanstack/solid-virtual'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import { type Accessor, createEffect, createMemo, createSignal, For, onCleanup, Show } from 'solid-js'
import { countOf, formatCount } from '../base/format.ts'
import styles from './name-preview.module.css'
import type { Link } from './parse-links.ts'
import type { PreviewedName } from './preview-names.ts'

/** The height of a row in name-preview.module.css. */
const ROW_PX = 28

/** The probable names of the entries, numbered where they collide. The responses may still change them. */
export function NamePreview(props: { links: readonly Link[] }) {
  const previews = createNamePreviews(() => props.links)
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
      <summary class={styles.summary}>
        <ChevronRight size={18} aria-hidden="true" />
        <span>Names in the archive</span>
        <span class={styles.counts}>
          {countOf(props.links.length, 'file')}
          <Show when={numbered() > 0}> · {formatCount(numbered())} numbered</Show>
        </span>
      </summary>
      <p class={styles.note}>As the links tell them. A server may still give another name or an ending.</p>
      {/* Focusable, so that it can be scrolled by keyboard. */}
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

/** Computes the names in a worker whenever the links change. Empty until the first result. */
function createNamePreviews(links: Accessor<readonly Link[]>): Accessor<readonly PreviewedName[]> {
  const [names, setNames] = createSignal<readonly PreviewedName[]>([])
  const worker = new Worker(new URL('./name-worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', (event: MessageEvent<readonly PreviewedName[]>) => setNames(event.data))
  createEffect(() => worker.postMessage(links()))
  onCleanup(() => worker.terminate())
  return names
}
