import { createVirtualizer } from '@tanstack/solid-virtual'
import { type Accessor, createEffect, createMemo, For, type JSX, on, onMount, Show } from 'solid-js'
import frame from './focus-frame.module.css'
import { createPrinting } from './printing.ts'
import styles from './virtual-list.module.css'

/** The row to show, and what to focus in it. */
export interface RowTarget {
  readonly index: number
  /** A CSS selector. */
  readonly control: string
  /** The focus comes from elsewhere on the page: the row is shown in the middle of the list, and the list in the window. */
  readonly isFromElsewhere: boolean
}

export interface VirtualListProps<T> {
  label: string
  items: readonly T[]
  /** What a row is known by: its element goes with it when rows before it come and go. By default, the index. */
  keyOf?: (item: T) => number | string
  /** Lays out the content of a row. */
  rowClass: string | undefined
  /** Each new object shows its row again. */
  target: RowTarget | null
  /** Takes the focus when the list appears, if nothing has it. */
  takesFocus?: boolean
  /** A row is hovered or focused; null for none. */
  onHighlight: (item: T | null) => void
  /** Says more about the list to screen readers. */
  hint?: JSX.Element
  /** Renders the content of a row. */
  children: (item: Accessor<T>, index: Accessor<number>) => JSX.Element
}

/** A list of any length that scrolls by itself. Only the rows in view are in the document, unless it is printed. */
export function VirtualList<T>(props: VirtualListProps<T>) {
  let scroller: HTMLElement | undefined
  const isPrinting = createPrinting()
  const rowPx = ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const rows = createVirtualizer({
    get count() {
      return props.items.length
    },
    getScrollElement: () => scroller ?? null,
    estimateSize: () => rowPx,
    overscan: EXTRA_ROWS,
  })
  /** The indexes of the rows in the document, by their keys, so that a row and its focus stay while its item changes. */
  const shown = createMemo(() => {
    const indexes = isPrinting() ? props.items.keys() : rows.getVirtualItems().map(({ index }) => index)
    return new Map(
      [...indexes].flatMap((index) => {
        const item = props.items[index]
        return item === undefined ? [] : [[props.keyOf?.(item) ?? index, index] as const]
      }),
    )
  })

  onMount(() => {
    if (props.takesFocus && document.activeElement === document.body) scroller?.focus({ preventScroll: true })
  })
  createEffect(
    on(
      () => props.target,
      (target) => {
        if (target === null) return
        rows.scrollToIndex(target.index, { align: target.isFromElsewhere ? 'center' : 'auto' })
        requestAnimationFrame(() => focusRow(target))
      },
    ),
  )

  function focusRow({ index, control, isFromElsewhere }: RowTarget) {
    if (isFromElsewhere) scroller?.scrollIntoView({ block: 'nearest' })
    const row = scroller?.querySelector(`[data-index="${index}"]`)
    const found = row?.querySelector<HTMLElement>(control) ?? scroller
    found?.focus({ preventScroll: true })
  }

  return (
    // Focusable, so that it can be scrolled by keyboard.
    <div class={frame.frame}>
      <section ref={scroller} class={styles.scroller} tabindex="0" aria-label={props.label}>
        <ul class={styles.list} style={{ height: `${rows.getTotalSize()}px` }}>
          <For each={[...shown().keys()]}>
            {(key) => {
              const index = () => shown().get(key) ?? -1
              return (
                <Show when={props.items[index()]}>
                  {(item) => (
                    <li
                      class={`${styles.row} ${props.rowClass}`}
                      data-index={index()}
                      data-key={key}
                      aria-setsize={props.items.length}
                      aria-posinset={index() + 1}
                      style={{ transform: `translateY(${index() * rowPx}px)` }}
                      onPointerEnter={() => props.onHighlight(item())}
                      onPointerLeave={() => props.onHighlight(null)}
                      onFocusIn={() => props.onHighlight(item())}
                      onFocusOut={() => props.onHighlight(null)}
                    >
                      {props.children(item, index)}
                    </li>
                  )}
                </Show>
              )
            }}
          </For>
        </ul>
        {props.hint}
      </section>
    </div>
  )
}

/** The height of a row in virtual-list.module.css. */
const ROW_REM = 3
/** How many rows beyond those in view are in the document, so that scrolling shows no gap. */
const EXTRA_ROWS = 8
