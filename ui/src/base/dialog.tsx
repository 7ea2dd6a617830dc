import { Dialog as Primitive } from '@kobalte/core/dialog'
import X from 'lucide-solid/icons/x'
import type { ParentProps } from 'solid-js'
import { iconButtonClass } from './button.tsx'
import styles from './dialog.module.css'

export interface DialogProps {
  title: string
  open: boolean
  /** It was closed: by its button, the Escape key, or a click beside it. */
  onClose: () => void
}

/** What stands above the page until it is answered or closed. */
export function Dialog(props: ParentProps<DialogProps>) {
  let content: HTMLElement | undefined
  let opener: Element | null = null

  // The dialog itself takes the focus, so that it is read out from its title on and no button is pressed by mistake.
  const takeFocus = (event: Event) => {
    event.preventDefault()
    opener = openerOf(document.activeElement)
    content?.focus()
  }
  const giveFocusBack = (event: Event) => {
    event.preventDefault()
    const place = opener?.isConnected ? opener : document.getElementById('main')
    if (place instanceof HTMLElement) place.focus({ preventScroll: true })
  }

  return (
    <Primitive open={props.open} onOpenChange={(open) => !open && props.onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay class={styles.overlay} />
        <div class={styles.place}>
          <Primitive.Content
            ref={content}
            class={styles.dialog}
            onOpenAutoFocus={takeFocus}
            onCloseAutoFocus={giveFocusBack}
          >
            <div class={styles.head}>
              <Primitive.Title class={styles.title}>{props.title}</Primitive.Title>
              <Primitive.CloseButton class={iconButtonClass} aria-label="Close" title="Close">
                <X size={20} aria-hidden="true" />
              </Primitive.CloseButton>
            </div>
            {props.children}
          </Primitive.Content>
        </div>
      </Primitive.Portal>
    </Primitive>
  )
}

/** What has the focus, or the button of the menu that has it: the menu itself will be gone. */
function openerOf(focused: Element | null): Element | null {
  const menu = focused?.closest('[role="menu"]')
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : focused
}

/** What can be done about it, the thing itself last. */
export function DialogActions(props: ParentProps) {
  return <div class={styles.actions}>{props.children}</div>
}
