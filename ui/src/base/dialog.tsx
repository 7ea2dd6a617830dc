import { Dialog as Primitive } from '@kobalte/core/dialog'
import X from 'lucide-solid/icons/x'
import type { ParentProps } from 'solid-js'
import { baseCopy } from '../language/english/base.ts'
import { iconButtonClass } from './button.tsx'
import styles from './dialog.module.css'

export interface DialogProps {
  title: string
  open: boolean
  /** For content that needs more width, such as lists of links. */
  isWide?: boolean
  /** Called when the user closes the dialog by its button, the Escape key or a click outside. */
  onClose: () => void
}

/** A modal dialog. */
export function Dialog(props: ParentProps<DialogProps>) {
  let content: HTMLElement | undefined
  let opener: Element | null = null

  // Focuses the dialog itself: screen readers start at its title, and Enter presses no button by mistake.
  const takeFocus = (event: Event) => {
    event.preventDefault()
    opener = document.activeElement
    content?.focus()
  }
  const returnFocus = (event: Event) => {
    event.preventDefault()
    const target = opener?.isConnected ? opener : document.getElementById('main')
    if (target instanceof HTMLElement) target.focus({ preventScroll: true })
  }

  return (
    <Primitive open={props.open} onOpenChange={(open) => !open && props.onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay class={styles.overlay} data-veil="" />
        <div class={styles.positioner}>
          <Primitive.Content
            ref={content}
            class={styles.dialog}
            data-size={props.isWide ? 'wide' : undefined}
            onOpenAutoFocus={takeFocus}
            onCloseAutoFocus={returnFocus}
          >
            <div class={styles.header}>
              <Primitive.Title class={styles.title}>{props.title}</Primitive.Title>
              <Primitive.CloseButton
                class={iconButtonClass}
                aria-label={baseCopy.close}
                title={baseCopy.close}
              >
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

/** The buttons of a dialog, with the main action last. */
export function DialogActions(props: ParentProps) {
  return <div class={styles.actions}>{props.children}</div>
}
