import { useNavigate } from '@solidjs/router'
import { createSignal, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { lazyPart } from '../base/lazy-part.tsx'
import { listenForShortcuts, useShortcut } from '../base/shortcuts.ts'
import { showToast } from '../base/toasts.tsx'
import { shellCopy } from '../language/english/shell.ts'
import { sessionKey } from '../session/session.ts'
import { collectTyping } from './typed-ahead.ts'

const loadDialog = async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog
const ShortcutsDialog = lazyPart(loadDialog)
const loadPalette = async () => (await import('./command-palette.tsx')).CommandPalette

const [dialogOpen, setDialogOpen] = createSignal(false)
type LoadedPalette = Awaited<ReturnType<typeof loadPalette>>
/** One opening of the palette. */
interface OpenPalette {
  readonly Palette: LoadedPalette
  readonly typed: string
}
const [palette, setPalette] = createSignal<OpenPalette>()
let loadedPalette: LoadedPalette | undefined

/** Opens the dialog. It is not part of a page, so a message appears if its code can't be loaded. */
export async function showShortcutsDialog(): Promise<void> {
  try {
    await loadDialog()
    setDialogOpen(true)
  } catch {
    showToast({ text: shellCopy.shortcuts.notLoaded })
  }
}

/** Opens the palette of pages, archives and actions. */
export async function showCommandPalette(): Promise<void> {
  // At once if possible, so that the next key is already pressed in the palette.
  if (loadedPalette !== undefined) {
    setPalette({ Palette: loadedPalette, typed: '' })
    return
  }
  const typing = collectTyping()
  try {
    loadedPalette = await loadPalette()
    setPalette({ Palette: loadedPalette, typed: typing.end() })
  } catch {
    typing.end()
    showToast({ text: shellCopy.shortcuts.searchNotLoaded })
  }
}

/** Browsers report later that a dialog was closed. Meanwhile, the palette may have been opened again. */
function closePalette(opened: OpenPalette): void {
  setPalette((current) => (current === opened ? undefined : current))
}

/** The keyboard shortcuts that work on every page, and the dialog that lists them. */
export function GlobalShortcuts() {
  listenForShortcuts()
  useShortcut({
    keys: ['?'],
    label: shellCopy.shortcuts.show,
    run: () => void showShortcutsDialog(),
    isGlobal: true,
  })
  return (
    <>
      <Show when={sessionKey()}>
        <NavigationShortcuts />
      </Show>
      <Show keyed when={sessionKey() !== null && palette()}>
        {(opened) => (
          <Dynamic component={opened.Palette} typed={opened.typed} onClose={() => closePalette(opened)} />
        )}
      </Show>
      <Show when={dialogOpen()}>
        <ShortcutsDialog open={dialogOpen()} onClose={() => setDialogOpen(false)} />
      </Show>
    </>
  )
}

function NavigationShortcuts() {
  const navigate = useNavigate()
  const register = (keys: readonly string[], label: string, run: () => void) =>
    useShortcut({ keys, label, run, isGlobal: true })
  register(['Mod+k'], shellCopy.shortcuts.search, () => void showCommandPalette())
  register(['n'], shellCopy.shortcuts.newArchive, () => navigate('/', { state: { focusLinks: true } }))
  register(['g', 'a'], shellCopy.shortcuts.archives, () => navigate('/archives'))
  register(['g', 'k'], shellCopy.shortcuts.keys, () => navigate('/keys'))
  register(['g', 'u'], shellCopy.shortcuts.account, () => navigate('/account'))
  return null
}
