import { useNavigate } from '@solidjs/router'
import { createSignal, lazy, Show } from 'solid-js'
import { listenForShortcuts, useShortcut } from '../base/shortcuts.ts'
import { sessionKey } from '../session/session.ts'

const ShortcutsDialog = lazy(async () => ({
  default: (await import('./shortcuts-dialog.tsx')).ShortcutsDialog,
}))

const [dialogOpen, setDialogOpen] = createSignal(false)

export { setDialogOpen as showShortcutsDialog }

/** The keyboard shortcuts that work on every page, and the dialog that lists them. */
export function GlobalShortcuts() {
  listenForShortcuts()
  useShortcut({ keys: ['?'], label: 'Show this list', run: () => setDialogOpen(true) })
  return (
    <>
      <Show when={sessionKey()}>
        <NavigationShortcuts />
      </Show>
      <Show when={dialogOpen()}>
        <ShortcutsDialog open={dialogOpen()} onClose={() => setDialogOpen(false)} />
      </Show>
    </>
  )
}

function NavigationShortcuts() {
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
