// ui/decisions/keys-menus-dialogs.md says why shortcuts have a list of our own.

import { createSignal, onCleanup, onMount } from 'solid-js'
import { browserStorage } from '../session/browser-storage.ts'

export interface Shortcut {
  /**
   * Keys to press in sequence, named as in `KeyboardEvent.key`: `['g', 'a']`. `Mod+` is Ctrl, or Command on a Mac: `['Mod+k']`.
   * Keys without it work only where nobody types, and can be turned off.
   */
  readonly keys: readonly string[]
  /** What the shortcut does, as the dialog of shortcuts and the palette show it. */
  readonly label: string
  readonly run: () => void
  /** The shortcut works on every page, unless the page has its own one with the same keys. */
  readonly isGlobal?: boolean
}

const DISABLED_STORAGE_NAME = 'holdall.shortcuts-off'

/**
 * Not in a signal: when the router shows another page in a transition, what the old page sets while it is cleaned up would be
 * overwritten by what the new page has set. The old page, with all of its elements, would stay in the list.
 */
let registered: readonly Shortcut[] = []
const [changes, setChanges] = createSignal(0)
const [enabled, setEnabled] = createSignal(browserStorage.getItem(DISABLED_STORAGE_NAME) === null)

/** Whether the user has left single keys enabled (WCAG 2.2, 2.1.4). */
export { enabled as shortcutsEnabled }

/** The shortcuts of the current page. */
function shortcuts(): readonly Shortcut[] {
  changes()
  return registered
}

function register(all: readonly Shortcut[]): void {
  registered = all
  setChanges((count) => count + 1)
}

export function enableShortcuts(on: boolean): void {
  if (on) browserStorage.removeItem(DISABLED_STORAGE_NAME)
  else browserStorage.setItem(DISABLED_STORAGE_NAME, '')
  setEnabled(on)
}

/** The shortcuts that work now: of several with the same keys, the last one. */
export function workingShortcuts(): readonly Shortcut[] {
  return [...new Map(shortcuts().map((shortcut) => [shortcut.keys.join(' '), shortcut])).values()]
}

/** Registers a shortcut as long as the owner exists. If two shortcuts have the same keys, the last one in the list works. */
export function useShortcut(shortcut: Shortcut): void {
  register(shortcut.isGlobal ? [shortcut, ...registered] : [...registered, shortcut])
  onCleanup(() => register(registered.filter((other) => other !== shortcut)))
}

/** Listens for shortcuts as long as the owner exists. Must be called once per page. */
export function listenForShortcuts(): void {
  let pressed: readonly string[] = []
  let pressedAtMs = 0

  function onKeyDown(event: KeyboardEvent) {
    if (!isForShortcuts(event)) return
    const now = performance.now()
    const earlier = now - pressedAtMs < SEQUENCE_MS ? pressed : []
    const sequence = [...earlier, keyOf(event)]
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

function keyOf(event: KeyboardEvent): string {
  return hasMod(event) ? `Mod+${event.key}` : event.key
}

function hasMod(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey
}

/** Ignores keys pressed in a menu or a dialog, and single keys that are turned off or pressed in a text field. */
function isForShortcuts(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.repeat || event.isComposing || event.altKey) return false
  const { target } = event
  const isIn = (selector: string) => target instanceof Element && target.closest(selector) !== null
  if (isIn('dialog, [role="menu"], [role="dialog"]')) return false
  return hasMod(event) || (enabled() && !isIn(TEXT_FIELDS))
}

const TEXT_FIELDS = 'input:not([type="checkbox"]), textarea, select, [contenteditable]'

/** The maximum time between two keys of a sequence. */
const SEQUENCE_MS = 1_500
