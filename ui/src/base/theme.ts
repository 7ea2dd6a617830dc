import { createSignal } from 'solid-js'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const STORAGE_NAME = 'holdall.theme'

const [theme, setThemeSignal] = createSignal<Theme>(readTheme())

export { theme }

export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(STORAGE_NAME)
  else localStorage.setItem(STORAGE_NAME, theme)
  setThemeSignal(theme)
  applyTheme()
}

/** Sets the attribute of the document that tokens.css reads. Also called once before the first render. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = theme()
}

function readTheme(): Theme {
  const stored = localStorage.getItem(STORAGE_NAME)
  return THEMES.find((theme) => theme === stored) ?? 'system'
}
