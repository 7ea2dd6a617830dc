import { createEffect } from 'solid-js'
import { useShortcut } from '../base/shortcuts.ts'
import { archiveListCopy } from '../language/english/archive-list.ts'
import type { ArchiveSelection } from './selection.ts'

/**
 * Keys that move the focus through the rows of a list, and select them. Enter opens the focused row, which is a link.
 * @returns the ref of the container of the list
 */
export function moveThroughRows(selection: ArchiveSelection): (container: HTMLElement) => void {
  let list: HTMLElement | undefined
  const rows = () => [...(list?.querySelectorAll('li') ?? [])]
  const focusedRow = () => rows().findIndex((row) => row.contains(document.activeElement))

  function focusRow(index: number) {
    const row = rows()[index]
    row?.querySelector<HTMLElement>('a, input')?.focus()
    row?.scrollIntoView({ block: 'nearest' })
  }

  useShortcut({ keys: ['j'], label: archiveListCopy.shortcuts.next, run: () => focusRow(focusedRow() + 1) })
  useShortcut({
    keys: ['k'],
    label: archiveListCopy.shortcuts.previous,
    run: () => focusRow(Math.max(focusedRow() - 1, 0)),
  })
  useShortcut({
    keys: ['x'],
    label: archiveListCopy.shortcuts.select,
    run() {
      const index = focusedRow()
      selection.begin()
      rows()[index]?.querySelector('input')?.click()
      focusRow(index)
    },
  })
  createEffect(() => {
    if (!selection.isOn()) return
    useShortcut({
      keys: ['Escape'],
      label: archiveListCopy.selection.stop,
      run() {
        const index = focusedRow()
        selection.end()
        if (index !== -1) focusRow(index)
      },
    })
  })
  return (container) => {
    list = container
  }
}
