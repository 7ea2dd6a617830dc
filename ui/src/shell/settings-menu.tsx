import { useNavigate } from '@solidjs/router'
import Bell from 'lucide-solid/icons/bell'
import BookOpen from 'lucide-solid/icons/book-open'
import BookmarkPlus from 'lucide-solid/icons/bookmark-plus'
import CircleUser from 'lucide-solid/icons/circle-user'
import FileSearch from 'lucide-solid/icons/file-search'
import Gauge from 'lucide-solid/icons/gauge'
import KeyboardIcon from 'lucide-solid/icons/keyboard'
import Languages from 'lucide-solid/icons/languages'
import Lock from 'lucide-solid/icons/lock'
import LogOut from 'lucide-solid/icons/log-out'
import Monitor from 'lucide-solid/icons/monitor'
import Moon from 'lucide-solid/icons/moon'
import Repeat from 'lucide-solid/icons/repeat'
import Search from 'lucide-solid/icons/search'
import Server from 'lucide-solid/icons/server'
import Sun from 'lucide-solid/icons/sun'
import Users from 'lucide-solid/icons/users'
import { Show } from 'solid-js'
import { createIsOwner } from '../api/owner.ts'
import { Menu, MenuItem, MenuRadioGroup, MenuSeparator } from '../base/menu.tsx'
import { setTheme, theme } from '../base/theme.ts'
import { chooseLanguage } from '../language/choose-language.ts'
import { baseCopy } from '../language/english/base.ts'
import { shellCopy } from '../language/english/shell.ts'
import { LANGUAGES, language, nameOfLanguage } from '../language/language.ts'
import { sessionKey } from '../session/session.ts'
import { endSession } from './end-session.ts'
import { showCommandPalette, showShortcutsDialog } from './global-shortcuts.tsx'
import { openDocumentation } from './open-documentation.ts'

const copy = shellCopy.menu

/** The menu for the account, the appearance, the shortcuts and signing out. */
export function SettingsMenu() {
  const navigate = useNavigate()
  const isOwner = createIsOwner()
  return (
    <Menu label={copy.title} icon={CircleUser}>
      <Show when={sessionKey()}>
        <MenuItem icon={Gauge} onSelect={() => navigate('/account')}>
          {copy.account}
        </MenuItem>
        <MenuItem icon={Repeat} onSelect={() => navigate('/account/schedules')}>
          {copy.schedules}
        </MenuItem>
        <MenuItem icon={Lock} onSelect={() => navigate('/account/sites')}>
          {copy.sites}
        </MenuItem>
        <MenuItem icon={Bell} onSelect={() => navigate('/account/notifications')}>
          {copy.notifications}
        </MenuItem>
        <Show when={isOwner()}>
          <MenuItem icon={Users} onSelect={() => navigate('/admin/users')}>
            {copy.users}
          </MenuItem>
          <MenuItem icon={Server} onSelect={() => navigate('/admin/service')}>
            {copy.service}
          </MenuItem>
        </Show>
        <MenuSeparator />
      </Show>
      <MenuRadioGroup label={copy.appearance} value={theme()} options={THEME_OPTIONS} onChange={setTheme} />
      <MenuSeparator />
      <MenuRadioGroup
        label={baseCopy.language}
        value={language}
        options={LANGUAGE_OPTIONS}
        onChange={chooseLanguage}
      />
      <MenuSeparator />
      <Show when={sessionKey()}>
        <MenuItem icon={Search} onSelect={() => void showCommandPalette()}>
          {copy.search}
        </MenuItem>
      </Show>
      <Show when={sessionKey()}>
        <MenuItem icon={BookmarkPlus} onSelect={() => navigate('/add-to-browser')}>
          {copy.addToBrowser}
        </MenuItem>
      </Show>
      <MenuItem icon={FileSearch} onSelect={() => navigate('/check')}>
        {copy.checkZip}
      </MenuItem>
      <MenuItem icon={BookOpen} onSelect={openDocumentation}>
        {copy.documentation}
      </MenuItem>
      <MenuItem icon={KeyboardIcon} onSelect={() => void showShortcutsDialog()}>
        {copy.shortcuts}
      </MenuItem>
      <Show when={sessionKey()}>
        <MenuSeparator />
        <MenuItem icon={LogOut} onSelect={() => void endSession()}>
          {copy.signOut}
        </MenuItem>
      </Show>
    </Menu>
  )
}

const LANGUAGE_OPTIONS = LANGUAGES.map((code) => ({
  value: code,
  label: nameOfLanguage(code),
  lang: code,
  icon: Languages,
}))

const THEME_OPTIONS = [
  { value: 'system', label: copy.system, icon: Monitor },
  { value: 'light', label: copy.light, icon: Sun },
  { value: 'dark', label: copy.dark, icon: Moon },
] as const
