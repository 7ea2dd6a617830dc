import { onCleanup } from 'solid-js'

/**
 * When the row with the focus is removed from the list in `container`, moves the focus to the row that took its place.
 * Otherwise it would fall to the document, and keyboard users would start over.
 */
export function keepFocusInList(container: HTMLElement): void {
  let focusedRow: HTMLElement | null = null
  let index = 0

  const remember = ({ target }: FocusEvent) => {
    focusedRow = target instanceof Element ? target.closest('li') : null
    if (focusedRow !== null) index = rowsOf(container).indexOf(focusedRow)
  }
  const observer = new MutationObserver(() => {
    if (focusedRow === null || focusedRow.isConnected || document.activeElement !== document.body) return
    focusedRow = null
    const rows = rowsOf(container)
    const row = rows[Math.min(index, rows.length - 1)]
    const target = row?.querySelector<HTMLElement>('a, input, button') ?? document.getElementById('main')
    target?.focus({ preventScroll: true })
  })

  container.addEventListener('focusin', remember)
  observer.observe(container, { childList: true, subtree: true })
  onCleanup(() => observer.disconnect())
}

function rowsOf(container: HTMLElement): HTMLElement[] {
  return [...container.querySelectorAll('li')]
}
