import { createSignal, onCleanup, onMount } from 'solid-js'

export interface Shortcut {
  /** Pressed one after the other, as `KeyboardEvent.key` names them: `['g', 'a']`. */
  readonly keys: readonly string[]
  /** What it does, as the sheet of shortcuts says. */
  readonly label: string
  readonly run: () => void
}

/** How long the second key may be awaited. */
const SEQUENCE_MS = 1_500
const OFF_NAME = 'holdall.shortcuts-off'

const [shortcuts, setShortcuts] = createSignal<readonly Shortcut[]>([])
const [enabled, storeEnabled] = createSignal(localStorage.getItem(OFF_NAME) === null)

/** Those of the page that is shown; and whether they work, which is the reader's to choose (WCAG 2.2, 2.1.4). */
export { enabled as shortcutsEnabled, shortcuts }

export function enableShortcuts(on: boolean): void {
  if (on) localStorage.removeItem(OFF_NAME)
  else localStorage.setItem(OFF_NAME, '')
  storeEnabled(on)
}

/** Adds a shortcut while its owner lives; the newest of the same keys counts. */
export function useShortcut(shortcut: Shortcut): void {
  setShortcuts((all) => [...all, shortcut])
  onCleanup(() => setShortcuts((all) => all.filter((other) => other !== shortcut)))
}

/** Follows the keyboard while its owner lives; once in the page. */
export function followKeyboard(): void {
  let pressed: readonly string[] = []
  let pressedAtMs = 0

  function follow(event: KeyboardEvent) {
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

  onMount(() => document.addEventListener('keydown', follow))
  onCleanup(() => document.removeEventListener('keydown', follow))
}

function startsWith(keys: readonly string[], start: readonly string[]): boolean {
  return start.every((key, index) => keys[index] === key)
}

/** Not while one types, nor while a menu or a dialog has the keyboard. */
function isForShortcuts(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.repeat || event.isComposing) return false
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  const { target } = event
  return !(target instanceof Element && target.closest(KEYBOARD_OWNERS))
}

const KEYBOARD_OWNERS = 'input, textarea, select, [contenteditable], [role="menu"], [role="dialog"]'
