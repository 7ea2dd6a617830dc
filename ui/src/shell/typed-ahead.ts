/** What was typed before a text field was there. */
export interface TypedAhead {
  /** Stops collecting. */
  end(): string
}

/**
 * Collects what is typed from now on for a text field whose code is still loading. Otherwise the text would be lost, and its
 * letters would be shortcuts of the page.
 */
export function collectTyping(): TypedAhead {
  let text = ''
  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Backspace') text = text.slice(0, -1)
    else if (event.key.length === 1) text += event.key
    else if (event.key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('keydown', onKeyDown, { capture: true })
  return {
    end() {
      removeEventListener('keydown', onKeyDown, { capture: true })
      return text
    },
  }
}
