import { onCleanup, onMount } from 'solid-js'
import { loginKind } from '../../../server/credentials/login-kind.ts'
import { STOPPED } from '../base/stopped.ts'
import { canUndo, draft, isUntouchedText, undo } from './draft.ts'

export interface PageActions {
  /** Something was pasted or dropped anywhere on the page, but not into a text field. */
  readonly onTransfer: (transfer: DataTransfer) => void
  /** Whether something is being dragged over the page. */
  readonly onDragging: (isDragging: boolean) => void
  /** Ctrl+Enter was pressed anywhere. */
  readonly onSubmit: () => void
}

/** Makes the whole page the target of pastes, drops and key presses, as long as the owner exists. */
export function listenToPage({ onTransfer, onDragging, onSubmit }: PageActions): void {
  /** What is dragged is a part of this page, such as a selection in a text field, which the browser moves itself. */
  let isOwnDrag = false

  const listeners = {
    paste(event: ClipboardEvent) {
      if (event.clipboardData === null) return
      // In the box of links, too, a login is no text.
      const isLogin = isLinkBox(event.target) && loginKind(event.clipboardData.getData('text/plain')) !== null
      if (isTyping(event.target) && !isLogin) return
      event.preventDefault()
      onTransfer(event.clipboardData)
    },
    dragstart() {
      isOwnDrag = true
    },
    dragend() {
      isOwnDrag = false
    },
    dragover(event: DragEvent) {
      if (isOwnDrag) return
      // Otherwise, the browser would open what is dropped.
      event.preventDefault()
      onDragging(true)
    },
    dragleave(event: DragEvent) {
      if (event.relatedTarget === null) onDragging(false)
    },
    drop(event: DragEvent) {
      onDragging(false)
      if (isOwnDrag || event.dataTransfer === null) return
      event.preventDefault()
      onTransfer(event.dataTransfer)
    },
    keydown(event: KeyboardEvent) {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || isInDialog(event.target)) return
      if (event.key === 'Enter') {
        event.preventDefault()
        onSubmit()
      } else if (
        event.key.toLowerCase() === 'z' &&
        !event.shiftKey &&
        canUndo() &&
        !undoesTyping(event.target)
      ) {
        event.preventDefault()
        undo()
      }
    },
  }

  onMount(() => {
    const controller = new AbortController()
    const { signal } = controller
    document.addEventListener('paste', listeners.paste, { signal })
    document.addEventListener('dragstart', listeners.dragstart, { signal })
    document.addEventListener('dragend', listeners.dragend, { signal })
    document.addEventListener('dragover', listeners.dragover, { signal })
    document.addEventListener('dragleave', listeners.dragleave, { signal })
    document.addEventListener('drop', listeners.drop, { signal })
    document.addEventListener('keydown', listeners.keydown, { signal })
    onCleanup(() => controller.abort(STOPPED))
  })
}

/** Whether a paste belongs into a text field. One into the empty box of links becomes the list. */
function isTyping(target: EventTarget | null): boolean {
  if (isLinkBox(target)) return draft().text !== ''
  return target instanceof Element && target.closest(`${FIELDS}, [role="dialog"]`) !== null
}

/** Whether the browser undoes typing in a text field. */
function undoesTyping(target: EventTarget | null): boolean {
  if (isLinkBox(target)) return draft().text !== '' && !isUntouchedText()
  return target instanceof Element && target.closest(FIELDS) !== null
}

function isLinkBox(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-link-box]') !== null
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"]') !== null
}

/** What a person types into, or chooses from. */
const FIELDS = 'input:not([type="checkbox"], [type="radio"]), textarea, select'
