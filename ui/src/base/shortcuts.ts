import { createSignal, onCleanup, onMount } from 'solid-js'
import { browserStorage } from '../session/browser-storage.ts'

export interface Shortcut {
  /** Keys to press in sequence, named as in `KeyboardEvent.key`: `['g', 'a']`. */
  readonly keys: readonly string[]
  /** What the shortcut does, as the dialog of shortcuts shows it. */
  readonly label: string
  readonly run: () => void
  /** The shortcut works on every page, unless the page has its own one with the same keys. */
  readonly isGlobal?: boolean
}

/** The maximum time between two keys of a sequence. */
const SEQUENCE_MS = 1_500
const DISABLED_STORAGE_NAME = 'holdall.shortcuts-off'

const [shortcuts, setShortcuts] = createSignal<readonly Shortcut[]>([])
const [enabled, setEnabled] = createSignal(browserStorage.getItem(DISABLED_STORAGE_NAME) === null)

/** The shortcuts of the current page, and whether the user has left them enabled (WCAG 2.2, 2.1.4). */
export { enabled as shortcutsEnabled, shortcuts }

export function enableShortcuts(on: boolean): void {
  if (on) browserStorage.removeItem(DISABLED_STORAGE_NAME)
  else browserStorage.setItem(DISABLED_STORAGE_NAME, '')
  setEnabled(on)
}

/** Registers a shortcut as long as the owner exists. If two shortcuts have the same keys, the last one in the list works. */
export function useShortcut(shortcut: Shortcut): void {
  setShortcuts((all) => (shortcut.isGlobal ? [shortcut, ...all] : [...all, shortcut]))
  onCleanup(() => setShortcuts((all) => all.filter((other) => other !== shortcut)))
}

/** Listens for shortcuts as long as the owner exists. Must be called once per page. */
export function listenForShortcuts(): void {
  let pressed: readonly string[] = []
  let pressedAtMs = 0

  function onKeyDown(event: KeyboardEvent) {
    if (!enabled() || !isForShortcuts(event)) return
    const now = performance.now()
    const earlier = now - pressedAtMs < SEQUENCE_MS ? pressed : []
    const sequence = [...earlier, event.key]
    pressedAtMs = now
    pressed = shortcuts().some(({ keys }) => keys.length > sequence.length && startsWith(keys, sequence))
      ? sequence
      : []
    const found = shortcuts().findLast(
      ({ keys }) => keys.length === sequence.length && startsWith(keys, sequence),
    )
    if (found === undefined) return
    event.preventDefault()
    found.run()
  }

  onMount(() => document.addEventListener('keydown', onKeyDown))
  onCleanup(() => document.removeEventListener('keydown', onKeyDown))
}

function startsWith(keys: readonly string[], start: readonly string[]): boolean {
  return start.every((key, index) => keys[index] === key)
}

/** Ignores keys with modifiers, and keys pressed in a text field, a menu or a dialog. */
function isForShortcuts(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.repeat || event.isComposing) return false
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  const { target } = event
  return !(target instanceof Element && target.closest(IGNORED_TARGETS))
}

const IGNORED_TARGETS = 'input, textarea, select, [contenteditable], [role="menu"], [role="dialog"]'
