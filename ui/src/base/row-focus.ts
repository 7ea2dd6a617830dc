import { type Accessor, createContext, createMemo, createSignal, useContext } from 'solid-js'

/** What a row is known by, whatever its place is. */
export type RowKey = number | string

export interface RowFocusOptions {
  readonly count: Accessor<number>
  readonly keyAt: (index: number) => RowKey
  /** -1 if there is no such row. */
  readonly indexOf: (key: RowKey) => number
  readonly scroller: () => HTMLElement | undefined
  readonly scrollTo: (index: number, align: 'auto' | 'center') => void
  /** How many rows Page Up and Page Down move by. */
  readonly pageRows: () => number
  /** A key that means something else in this row: true if it was handled. */
  readonly onKey?: ((index: number, event: KeyboardEvent) => boolean) | undefined
  /** Shift is held while the focus moves between checkboxes. */
  readonly onExtend?: ((from: number, to: number) => void) | undefined
}

export interface RowFocus {
  /** The index of the row that has the focus, or had it last. */
  readonly current: Accessor<number>
  /** A row has the focus now. */
  enter(key: RowKey): void
  /** Focuses a control of a row: the one in this column, or the last if there is none, or the first if no column is given. */
  focus(index: number, column: string | undefined, isFromElsewhere: boolean): void
  onKeyDown(event: KeyboardEvent): void
}

/**
 * The focus in a list of any length, after the grids of the ARIA Authoring Practices: the controls of one row are in the tab order, and
 * keys lead to other rows. Rows have `data-key`, and their controls `data-column`.
 */
export function createRowFocus(options: RowFocusOptions): RowFocus {
  const [currentKey, setCurrentKey] = createSignal<RowKey | null>(null)
  /** The index of the current row; if that row is gone, of the one in its place. */
  const current = createMemo((last: number) => {
    const key = currentKey()
    const index = key === null ? 0 : options.indexOf(key)
    return index === -1 ? Math.max(0, Math.min(last, options.count() - 1)) : index
  }, 0)

  function focus(index: number, column: string | undefined, isFromElsewhere: boolean) {
    const scroller = options.scroller()
    if (scroller === undefined || index < 0 || index >= options.count()) return scroller?.focus()
    const key = options.keyAt(index)
    setCurrentKey(key)
    options.scrollTo(index, isFromElsewhere ? 'center' : 'auto')
    if (isFromElsewhere) scroller.scrollIntoView({ block: 'nearest' })
    const find = () => scroller.querySelector<HTMLElement>(`[data-key="${CSS.escape(String(key))}"]`)
    const focusIn = (row: HTMLElement | null) => {
      const control = (row && controlIn(row, column)) ?? row ?? scroller
      control.focus({ preventScroll: true })
      // In the window, too, which may be lower than the list.
      ;(row ?? scroller).scrollIntoView({ block: 'nearest' })
    }
    const row = find()
    if (row !== null) focusIn(row)
    // A row that was not in view is in the document when it has been scrolled to.
    else requestAnimationFrame(() => requestAnimationFrame(() => focusIn(find())))
  }

  function onKeyDown(event: KeyboardEvent) {
    const { target } = event
    if (event.defaultPrevented || event.isComposing || !(target instanceof HTMLElement)) return
    const row = target.closest<HTMLElement>('[data-key]')
    const isHandled =
      (row !== null && options.onKey?.(current(), event)) ||
      (row !== null && moveInRow(event, row, target)) ||
      moveToRow(event, row, target)
    if (isHandled) event.preventDefault()
  }

  function moveToRow(event: KeyboardEvent, row: HTMLElement | null, from: HTMLElement): boolean {
    const isExtending = event.shiftKey && options.onExtend !== undefined && from.matches(CHECKBOX)
    if (event.altKey || event.metaKey || (event.shiftKey && !isExtending) || options.count() === 0)
      return false
    const wanted = destination(event, from)
    if (wanted === undefined) return false
    const index = Math.max(0, Math.min(options.count() - 1, wanted))
    if (row !== null && index === current()) return true
    const key = options.keyAt(index)
    if (isExtending) options.onExtend?.(current(), index)
    // What was typed is taken over, which may change the order of the rows.
    if (isText(from)) from.blur()
    focus(options.indexOf(key), from.dataset.column, false)
    return true
  }

  /** In a text, Home and End belong to it. From outside of the rows, the arrow keys lead to the current one. */
  function destination({ key, ctrlKey }: KeyboardEvent, from: HTMLElement): number | undefined {
    const step = from === options.scroller() ? 0 : 1
    if (key === 'Home' || key === 'End') {
      if (isText(from) && !ctrlKey) return undefined
      return key === 'Home' ? 0 : options.count() - 1
    }
    if (ctrlKey) return undefined
    if (key === 'ArrowUp') return current() - step
    if (key === 'ArrowDown') return current() + step
    if (key === 'PageUp') return current() - options.pageRows()
    if (key === 'PageDown') return current() + options.pageRows()
    return undefined
  }

  return { current, enter: setCurrentKey, focus, onKeyDown }
}

/** The tab index of a control that may be in a row: undefined outside of lists with one row in the tab order. */
export function useRowTabIndex(): Accessor<0 | -1 | undefined> {
  const isCurrent = useContext(CurrentRow)
  return () => (isCurrent === undefined ? undefined : isCurrent() ? 0 : -1)
}

const CurrentRow = createContext<Accessor<boolean>>()

/** Around the content of a row: whether it is the one in the tab order. */
export const CurrentRowProvider = CurrentRow.Provider

/** Left and Right lead to the other controls of a row, and Escape to its first one. */
function moveInRow(event: KeyboardEvent, row: HTMLElement, from: HTMLElement): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return false
  const controls = controlsOf(row)
  const at = controls.indexOf(from)
  const to = event.key === 'Escape' && at > 0 ? 0 : at + (isText(from) ? 0 : stepOf(event.key))
  const control = controls[to]
  if (control === undefined || to === at) return false
  control.focus()
  return true
}

function stepOf(key: string): -1 | 0 | 1 {
  return key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0
}

function controlIn(row: HTMLElement, column: string | undefined): HTMLElement | undefined {
  const controls = controlsOf(row)
  if (column === undefined) return controls[0]
  return controls.find((control) => control.dataset.column === column) ?? controls.at(-1)
}

function controlsOf(row: HTMLElement): readonly HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('[data-column]')].filter((control) =>
    control.checkVisibility(),
  )
}

function isText(control: HTMLElement): boolean {
  return control.matches(`input:not(${CHECKBOX})`)
}

const CHECKBOX = '[type="checkbox"]'
