/**
 * Copies text to the clipboard. Browsers offer the Clipboard API only in secure contexts (https or localhost). Elsewhere
 * this copies a temporary text area by `execCommand`, and restores the focus.
 */
export async function copyText(text: string): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(text)
  const textArea = document.createElement('textarea')
  textArea.value = text
  textArea.readOnly = true
  textArea.className = 'visually-hidden'
  document.body.append(textArea)
  const focused = document.activeElement
  textArea.select()
  document.execCommand('copy')
  textArea.remove()
  if (focused instanceof HTMLElement) focused.focus()
}
