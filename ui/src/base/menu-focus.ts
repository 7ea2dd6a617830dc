/** The items of an open menu, in order. */
export function itemsOf(menu: HTMLElement): readonly HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>(ITEM)]
}

/** The item that an event happened in. */
export function itemOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(ITEM) : null
}

/** Moves the focus in a menu: by arrow keys, Home and End, and to the next item that begins with a typed character. */
export function moveFocus(event: KeyboardEvent, menu: HTMLElement): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const next = nextItem(event.key, itemsOf(menu))
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

function nextItem(key: string, items: readonly HTMLElement[]): HTMLElement | undefined {
  const current = items.findIndex((item) => item.matches(':focus'))
  switch (key) {
    case 'ArrowDown':
      return items[(current + 1) % items.length]
    case 'ArrowUp':
      return items.at(Math.max(current, 0) - 1)
    case 'Home':
      return items[0]
    case 'End':
      return items.at(-1)
  }
  if (key.length > 1 || key === ' ') return undefined
  const following = [...items.slice(current + 1), ...items.slice(0, current + 1)]
  return following.find(({ textContent }) => textContent.toLowerCase().startsWith(key.toLowerCase()))
}

const ITEM = '[role^="menuitem"]'
