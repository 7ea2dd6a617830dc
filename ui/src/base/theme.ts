import { createSignal } from 'solid-js'
import { browserStorage } from '../session/browser-storage.ts'

const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const STORAGE_NAME = 'holdall.theme'

const [theme, setThemeSignal] = createSignal<Theme>(readTheme())

export { theme }

export function setTheme(theme: Theme): void {
  if (theme === 'system') browserStorage.removeItem(STORAGE_NAME)
  else browserStorage.setItem(STORAGE_NAME, theme)
  setThemeSignal(theme)
  applyTheme()
}

/** Sets the attribute of the document that tokens.css reads. Also called once before the first render. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = theme()
}

// Choosing a theme in one tab applies to all tabs.
addEventListener('storage', (event) => {
  if (event.key !== STORAGE_NAME && event.key !== null) return
  setThemeSignal(readTheme())
  applyTheme()
})

function readTheme(): Theme {
  const stored = browserStorage.getItem(STORAGE_NAME)
  return THEMES.find((theme) => theme === stored) ?? 'system'
}
