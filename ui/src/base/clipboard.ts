/**
 * Copies text to the clipboard. Browsers offer the Clipboard API only in secure contexts (https or localhost), and may
 * refuse it. Then this copies a temporary text area by `execCommand`, and restores the focus.
 * @returns false if the browser refuses that, too
 */
export async function copyText(text: string): Promise<boolean> {
  if (!window.isSecureContext) return copyByCommand(text)
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByCommand(text)
  }
}

function copyByCommand(text: string): boolean {
  const textArea = document.createElement('textarea')
  textArea.value = text
  textArea.readOnly = true
  textArea.className = 'visually-hidden'
  document.body.append(textArea)
  const focused = document.activeElement
  textArea.select()
  const isCopied = document.execCommand('copy')
  textArea.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isCopied
}
