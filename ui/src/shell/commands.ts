import { useNavigate } from '@solidjs/router'
import { createIsOwner } from '../api/owner.ts'
import { type Shortcut, workingShortcuts } from '../base/shortcuts.ts'
import { setTheme } from '../base/theme.ts'
import { commandPaletteCopy } from '../language/english/command-palette.ts'
import { endSession } from './end-session.ts'
import { openDocumentation } from './open-documentation.ts'

/** Something that the palette can do. */
export interface Command {
  readonly label: string
  /** Words that also find it. */
  readonly words?: string
  readonly keys?: readonly string[]
  readonly run: () => void
}

/** All commands: the shortcuts of the page that is open, the pages, and the actions of the menu. */
export function createCommands(): () => readonly Command[] {
  const copy = commandPaletteCopy
  const navigate = useNavigate()
  const isOwner = createIsOwner()
  const goTo = (label: string, path: string, words = ''): Command => ({
    label,
    words,
    run: () => navigate(path),
  })
  const pages = [
    goTo(copy.schedules, '/account/schedules', copy.schedulesWords),
    goTo(copy.sites, '/account/sites', copy.sitesWords),
    goTo(copy.notifications, '/account/notifications', copy.notificationsWords),
    goTo(copy.checkZip, '/check', copy.checkZipWords),
    goTo(copy.addToBrowser, '/add-to-browser', copy.addToBrowserWords),
  ]
  const ownersPages = [
    goTo(copy.users, '/admin/users'),
    goTo(copy.service, '/admin/service', copy.serviceWords),
  ]
  const actions: readonly Command[] = [
    { label: copy.light, words: copy.appearanceWords, run: () => setTheme('light') },
    { label: copy.dark, words: copy.appearanceWords, run: () => setTheme('dark') },
    { label: copy.system, words: copy.appearanceWords, run: () => setTheme('system') },
    {
      label: copy.reference,
      words: copy.referenceWords,
      run: openDocumentation,
    },
    { label: copy.signOut, run: () => void endSession() },
  ]
  return () => [
    ...workingShortcuts().filter(isCommand),
    ...pages,
    ...(isOwner() ? ownersPages : []),
    ...actions,
  ]
}

/** The palette itself, and moving through rows, make no sense as commands of the palette. */
function isCommand({ keys: [first = ''] }: Shortcut): boolean {
  return !['Mod+k', 'j', 'k', 'x'].includes(first)
}

/** The commands whose words begin with the words of a text, the better matches first. */
export function matchingCommands(commands: readonly Command[], text: string): readonly Command[] {
  const wanted = wordsOf(text)
  return commands.filter(({ label, words = '' }) => {
    const own = wordsOf(`${label} ${words}`)
    return wanted.every((word) => own.some((other) => other.startsWith(word)))
  })
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
}
