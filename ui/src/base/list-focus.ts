import { createRowFocus, type RowFocus, type RowFocusOptions, type RowKey } from './row-focus.ts'

export interface ListFocusOptions<T> {
  readonly items: () => readonly T[]
  readonly keyOf: (item: T) => RowKey
  /** Its children are the rows. */
  readonly list: () => HTMLElement | undefined
  readonly onKey?: RowFocusOptions['onKey']
}

/** The focus in a list whose rows are all in the document, and which scrolls with the page. */
export function createListFocus<T>({ items, keyOf, list, onKey }: ListFocusOptions<T>): RowFocus {
  return createRowFocus({
    count: () => items().length,
    keyAt(index) {
      const item = items()[index]
      return item === undefined ? index : keyOf(item)
    },
    indexOf: (key) => items().findIndex((item) => keyOf(item) === key),
    scroller: list,
    scrollTo() {},
    pageRows: () =>
      Math.max(1, Math.floor(innerHeight / (list()?.children[0]?.clientHeight ?? innerHeight)) - 1),
    onKey,
  })
}
