import { createVirtualizer } from '@tanstack/solid-virtual'
import {
  type Accessor,
  createEffect,
  createMemo,
  createRenderEffect,
  createUniqueId,
  type JSX,
  mapArray,
  on,
  onMount,
  Show,
} from 'solid-js'
import frame from './focus-frame.module.css'
import { createPrinting } from './printing.ts'
import { CurrentRowProvider, createRowFocus, type RowKey } from './row-focus.ts'
import styles from './virtual-list.module.css'

/** The row to show, and what to focus in it. */
export interface RowTarget {
  readonly index: number
  /** Of the control in the row. */
  readonly column: string
  /** The focus comes from elsewhere on the page: the row is shown in the middle of the list, and the list in the window. */
  readonly isFromElsewhere: boolean
}

export interface VirtualListProps<T> {
  label: string
  items: readonly T[]
  /** What a row is known by: its element goes with it when rows before it come and go. By default, the index. */
  keyOf?: (item: T) => RowKey
  /** Lays out the content of a row. */
  rowClass: string | undefined
  /** Each new object shows its row again. */
  target: RowTarget | null
  /** Takes the focus when the list appears, if nothing has it. */
  takesFocus?: boolean
  /** A row is hovered or focused; null for none. */
  onHighlight: (item: T | null) => void
  /** A key that means something else in this row: true if it was handled. */
  onKey?: (index: number, event: KeyboardEvent) => boolean
  /** Shift is held while the focus moves between checkboxes. */
  onExtend?: (from: number, to: number) => void
  /** Says more about the list to screen readers. */
  hint: string
  /** Renders the content of a row, whose controls have `data-column` and the tab index of `useRowTabIndex`. */
  children: (item: Accessor<T>, index: Accessor<number>) => JSX.Element
}

/**
 * A list of any length that scrolls by itself. Only the rows in view and the current one are in the document, unless it is printed. The
 * current row alone is in the tab order.
 */
export function VirtualList<T>(props: VirtualListProps<T>) {
  let scroller: HTMLElement | undefined
  const hintId = createUniqueId()
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
  const keyAt = (index: number): RowKey => {
    const item = props.items[index]
    return item === undefined ? index : (props.keyOf?.(item) ?? index)
  }
  function indexOf(key: RowKey): number {
    // Read once: each reading is remembered as a dependency.
    const { items, keyOf } = props
    return items.findIndex((item, index) => (keyOf?.(item) ?? index) === key)
  }
  const rowFocus = createRowFocus({
    count: () => props.items.length,
    keyAt,
    indexOf,
    scroller: () => scroller,
    scrollTo: (index, align) => rows.scrollToIndex(index, { align }),
    pageRows: () => Math.max(1, Math.floor((scroller?.clientHeight ?? 0) / rowPx) - 1),
    onKey: props.onKey,
    onExtend: props.onExtend,
  })
  /** The indexes of the rows in the document, by their keys, so that a row and its focus stay while its item changes. */
  const shown = createMemo(() => {
    const inView = rows.getVirtualItems().map(({ index }) => index)
    const indexes = isPrinting() ? props.items.keys() : withIndex(inView, rowFocus.current())
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
        // When the rows are those of the changed items.
        queueMicrotask(() => rowFocus.focus(target.index, target.column, target.isFromElsewhere))
      },
    ),
  )

  const elements = mapArray(
    () => [...shown().keys()],
    (key): Element => {
      const index = () => shown().get(key) ?? -1
      const row = (
        <li
          class={`${styles.row} ${props.rowClass}`}
          data-index={index()}
          data-key={key}
          aria-setsize={props.items.length}
          aria-posinset={index() + 1}
          style={{ transform: `translateY(${index() * rowPx}px)` }}
          onPointerEnter={() => props.onHighlight(props.items[index()] ?? null)}
          onPointerLeave={() => props.onHighlight(null)}
          onFocusIn={() => {
            rowFocus.enter(key)
            props.onHighlight(props.items[index()] ?? null)
          }}
          onFocusOut={() => props.onHighlight(null)}
        >
          <Show when={props.items[index()]}>
            {(item) => (
              <CurrentRowProvider value={() => index() === rowFocus.current()}>
                {props.children(item, index)}
              </CurrentRowProvider>
            )}
          </Show>
        </li>
      )
      return row as Element
    },
  )

  return (
    <div class={`${frame.frame} ${frame.fills}`}>
      <section
        ref={scroller}
        class={styles.scroller}
        style={{ '--rows-height': `${rows.getTotalSize() + BORDER_PX}px` }}
        tabindex="-1"
        aria-label={props.label}
        aria-describedby={hintId}
        on:keydown={rowFocus.onKeyDown}
      >
        <ul
          ref={(list) => createRenderEffect(() => place(list, elements()))}
          class={styles.list}
          style={{ height: `${rows.getTotalSize()}px` }}
        />
        <p id={hintId} class="visually-hidden">
          {props.hint}
        </p>
      </section>
    </div>
  )
}

/** Makes these the children of an element. Those that stay in the same order are not moved, since that takes the focus from them. */
function place(parent: Element, children: readonly Element[]): void {
  const focused = document.activeElement
  const wanted = new Set(children)
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove()
  let next = parent.firstElementChild
  for (const child of children) {
    if (child === next) next = next.nextElementSibling
    else parent.insertBefore(child, next)
  }
  if (focused instanceof HTMLElement && focused !== document.activeElement && parent.contains(focused))
    focused.focus({ preventScroll: true })
}

/** In order. */
function withIndex(indexes: readonly number[], index: number): readonly number[] {
  if (indexes.includes(index)) return indexes
  return [...indexes, index].toSorted((a, b) => a - b)
}

/** The height of a row in virtual-list.module.css. */
const ROW_REM = 3
/** Above the list. */
const BORDER_PX = 1
/** How many rows beyond those in view are in the document, so that scrolling shows no gap. */
const EXTRA_ROWS = 6
