import { useNavigate } from '@solidjs/router'
import CircleUser from 'lucide-solid/icons/circle-user'
import Gauge from 'lucide-solid/icons/gauge'
import KeyboardIcon from 'lucide-solid/icons/keyboard'
import LogOut from 'lucide-solid/icons/log-out'
import Monitor from 'lucide-solid/icons/monitor'
import Moon from 'lucide-solid/icons/moon'
import Sun from 'lucide-solid/icons/sun'
import { Show } from 'solid-js'
import { Menu, MenuChoice, MenuItem, MenuLine } from '../base/menu.tsx'
import { setTheme, theme } from '../base/theme.ts'
import { sessionKey, signOut } from '../session/session.ts'
import { showShortcuts } from './keyboard.tsx'

const THEME_OPTIONS = [
  { value: 'system', label: 'As the system', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
] as const

/** What concerns the reader and this browser, whatever page is shown. */
export function SettingsMenu() {
  const navigate = useNavigate()
  return (
    <Menu label="Account and settings" icon={CircleUser}>
      <Show when={sessionKey()}>
        <MenuItem icon={Gauge} onSelect={() => navigate('/account')}>
          Account
        </MenuItem>
        <MenuLine />
      </Show>
      <MenuChoice label="Appearance" value={theme()} options={THEME_OPTIONS} onChange={setTheme} />
      <MenuLine />
      <MenuItem icon={KeyboardIcon} onSelect={() => showShortcuts(true)}>
        Keyboard shortcuts
      </MenuItem>
      <Show when={sessionKey()}>
        <MenuLine />
        <MenuItem icon={LogOut} onSelect={signOut}>
          Sign out
        </MenuItem>
      </Show>
    </Menu>
  )
}
