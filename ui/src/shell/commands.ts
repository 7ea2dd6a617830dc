import { useNavigate } from '@solidjs/router'
import { createIsOwner } from '../api/owner.ts'
import { type Shortcut, workingShortcuts } from '../base/shortcuts.ts'
import { setTheme } from '../base/theme.ts'
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
  const navigate = useNavigate()
  const isOwner = createIsOwner()
  const goTo = (name: string, path: string, words = ''): Command => ({
    label: `Go to ${name}`,
    words,
    run: () => navigate(path),
  })
  const pages = [
    goTo('Schedules', '/account/schedules', 'repeat cron every day week month'),
    goTo('Sites', '/account/sites', 'logins passwords cookies headers tokens'),
    goTo('Notifications', '/account/notifications', 'webhooks email mail ntfy messages'),
    { label: 'Check a ZIP', words: 'verify damaged checksums', run: () => navigate('/check') },
    goTo('Add to browser', '/add-to-browser', 'install app bookmarklet share phone'),
  ]
  const ownersPages = [goTo('Users', '/admin/users'), goTo('Service', '/admin/service', 'disk queue version')]
  const actions: readonly Command[] = [
    { label: 'Use light appearance', words: 'theme', run: () => setTheme('light') },
    { label: 'Use dark appearance', words: 'theme', run: () => setTheme('dark') },
    { label: 'Use appearance of the system', words: 'theme', run: () => setTheme('system') },
    {
      label: 'Open the documentation',
      words: 'docs api reference curl python javascript',
      run: openDocumentation,
    },
    { label: 'Sign out', run: () => void endSession() },
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
