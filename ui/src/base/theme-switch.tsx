import Monitor from 'lucide-solid/icons/monitor'
import Moon from 'lucide-solid/icons/moon'
import Sun from 'lucide-solid/icons/sun'
import { Match, Switch } from 'solid-js'
import { setTheme, type Theme, theme } from './theme.ts'

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' }
const LABELS: Readonly<Record<Theme, string>> = { system: 'as your system', light: 'light', dark: 'dark' }

/** Goes round: as the system, light, dark. */
export function ThemeSwitch() {
  const label = () => `Theme: ${LABELS[theme()]}`
  return (
    <button type="button" class="icon-button" title={label()} onClick={() => setTheme(NEXT[theme()])}>
      <Switch>
        <Match when={theme() === 'system'}>
          <Monitor aria-hidden="true" />
        </Match>
        <Match when={theme() === 'light'}>
          <Sun aria-hidden="true" />
        </Match>
        <Match when={theme() === 'dark'}>
          <Moon aria-hidden="true" />
        </Match>
      </Switch>
      <span class="sr-only">{label()}</span>
    </button>
  )
}
