import type { TreeRow } from './file-tree.ts'

export interface TreeKeysOptions {
  readonly rows: readonly TreeRow<unknown>[]
  readonly isFolded: (path: string) => boolean
  readonly setFolded: (path: string, isFolded: boolean) => void
  /** Focuses a control of a row, by its column. */
  readonly focusRow: (index: number, column: string) => void
}

/**
 * Handles a key in a row of a list of files with folders, as in a tree: Right opens a folder or goes into it, Left folds it or goes out of
 * it. That is for the checkbox of a row and for its name, unless it is a text.
 * @returns whether the key had such a meaning
 */
export function handleTreeKey(index: number, event: KeyboardEvent, options: TreeKeysOptions): boolean {
  const row = options.rows[index]
  const { key, target } = event
  if (row === undefined || !(target instanceof HTMLElement)) return false
  if (hasModifier(event)) return false
  const column = target.dataset.column ?? ''
  if (!IN_TREE.has(column)) return false
  const isFolded = row.kind === 'folder' && options.isFolded(row.path)
  if (key === 'ArrowRight' && row.kind === 'folder') {
    if (isFolded) options.setFolded(row.path, false)
    else if (column === 'name') options.focusRow(index + 1, 'name')
    return isFolded || column === 'name'
  }
  // From a name, Left first leads to the checkbox before it.
  if (key !== 'ArrowLeft' || (row.kind === 'file' && !isFirst(target))) return false
  if (row.kind === 'folder' && !isFolded) {
    options.setFolded(row.path, true)
    return true
  }
  const outer = options.rows.findLastIndex(({ depth }, at) => at < index && depth < row.depth)
  if (outer !== -1) options.focusRow(outer, column)
  return outer !== -1
}

export function hasModifier(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey || event.shiftKey
}

function isFirst(control: HTMLElement): boolean {
  return control.closest('[data-key]')?.querySelector('[data-column]') === control
}

const IN_TREE: ReadonlySet<string> = new Set(['select', 'name'])
