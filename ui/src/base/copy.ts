/** Puts text on the clipboard. Browsers offer the clipboard only to pages of https or of this machine: else by hand. */
export async function copyText(text: string): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.className = 'visually-hidden'
  document.body.append(area)
  const focused = document.activeElement
  area.select()
  document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
}
