import { createVirtualizer } from '@tanstack/solid-virtual'
import { createEffect, createMemo, For, on, onMount, Show } from 'solid-js'
import { formatCount } from '../base/format.ts'
import type { MapTarget } from '../map/page-map.tsx'
import { changeItems, draft } from './draft.ts'
import { type DraftLink, withItem, withoutItem } from './draft-links.ts'
import styles from './file-list.module.css'
import { FileRow } from './file-row.tsx'

/** The height of a row in file-list.module.css, in rem. */
const ROW_REM = 3

export interface FileListProps {
  links: readonly DraftLink[]
  names: (index: number) => string
  duplicates: ReadonlySet<DraftLink>
  /** The link to show and focus. Each new object shows it again. */
  target: MapTarget | null
  onHighlight: (index: number | null) => void
}

/** The recognised files, whose names can be edited. Only the rows in view are in the document. */
export function FileList(props: FileListProps) {
  let scroller: HTMLElement | undefined
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const rows = createVirtualizer({
    get count() {
      return props.links.length
    },
    getScrollElement: () => scroller ?? null,
    estimateSize: () => ROW_REM * rem,
    overscan: 8,
  })
  /** Numbers, so that a row and its focus stay where they are while its link changes. */
  const shown = createMemo(() => rows.getVirtualItems().map(({ index }) => index))

  // What was focused before the paste is gone.
  onMount(() => document.activeElement === document.body && scroller?.focus({ preventScroll: true }))
  createEffect(
    on(
      () => props.target,
      (target) => target !== null && focusRow(target.position, 'input'),
      { defer: true },
    ),
  )

  function focusRow(index: number, selector: string) {
    rows.scrollToIndex(index)
    requestAnimationFrame(() => {
      const row = scroller?.querySelector(`[data-index="${index}"]`)
      const control = row?.querySelector<HTMLElement>(selector) ?? scroller
      control?.focus({ preventScroll: true })
    })
  }

  function rename(link: DraftLink, filename: string | null) {
    changeItems(withItem(draft().items, link, { ...link, filename }))
  }

  function remove(index: number, link: DraftLink) {
    changeItems(withoutItem(draft().items, link))
    if (props.links.length > 0) focusRow(Math.min(index, props.links.length - 1), 'button')
  }

  return (
    // Focusable, so that it can be scrolled by keyboard.
    <section ref={scroller} class={styles.scroller} tabindex="0" aria-label="Files">
      <ul class={styles.list} style={{ height: `${rows.getTotalSize()}px` }}>
        <For each={shown()}>
          {(index) => (
            <Show when={props.links[index]}>
              {(link) => (
                <FileRow
                  link={link()}
                  name={props.names(index)}
                  index={index}
                  count={props.links.length}
                  top={index * ROW_REM * rem}
                  isDuplicate={props.duplicates.has(link())}
                  onRename={(filename) => rename(link(), filename)}
                  onRemove={() => remove(index, link())}
                  onMove={(step) =>
                    focusRow(Math.max(0, Math.min(props.links.length - 1, index + step)), 'input')
                  }
                  onHighlight={props.onHighlight}
                />
              )}
            </Show>
          )}
        </For>
      </ul>
      <p class="visually-hidden">
        {formatCount(props.links.length)} files. The up and down keys move between names.
      </p>
    </section>
  )
}
