import { createSignal } from 'solid-js'

export type Theme = 'system' | 'light' | 'dark'

const STORAGE_KEY = 'holdall.theme'
const [theme, setSignal] = createSignal<Theme>(readTheme(localStorage.getItem(STORAGE_KEY)))
apply(theme())

export { theme }

export function setTheme(next: Theme): void {
  localStorage.setItem(STORAGE_KEY, next)
  apply(next)
  setSignal(next)
}

function apply(next: Theme): void {
  if (next === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = next
}

function readTheme(stored: string | null): Theme {
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}
