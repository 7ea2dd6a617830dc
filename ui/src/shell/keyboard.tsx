import { useNavigate } from '@solidjs/router'
import { createSignal, lazy, Show } from 'solid-js'
import { followKeyboard, useShortcut } from '../base/shortcuts.ts'
import { sessionKey } from '../session/session.ts'

const ShortcutSheet = lazy(async () => ({ default: (await import('./shortcut-sheet.tsx')).ShortcutSheet }))

const [sheetShown, showSheet] = createSignal(false)

export { showSheet as showShortcuts }

/** What the keyboard does on every page, and the sheet that tells it. */
export function Keyboard() {
  followKeyboard()
  useShortcut({ keys: ['?'], label: 'Show this list', run: () => showSheet(true) })
  return (
    <>
      <Show when={sessionKey()}>
        <GoTo />
      </Show>
      <Show when={sheetShown()}>
        <ShortcutSheet open={sheetShown()} onClose={() => showSheet(false)} />
      </Show>
    </>
  )
}

function GoTo() {
  const navigate = useNavigate()
  useShortcut({
    keys: ['n'],
    label: 'New archive',
    run: () => navigate('/', { state: { focusLinks: true } }),
  })
  useShortcut({ keys: ['g', 'a'], label: 'Go to the archives', run: () => navigate('/archives') })
  useShortcut({ keys: ['g', 'k'], label: 'Go to the keys', run: () => navigate('/keys') })
  useShortcut({ keys: ['g', 'u'], label: 'Go to your account', run: () => navigate('/account') })
  return null
}
