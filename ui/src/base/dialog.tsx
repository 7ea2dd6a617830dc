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
  return (
    <Primitive open={props.open} onOpenChange={(open) => !open && props.onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay class={styles.overlay} />
        <div class={styles.place}>
          <Primitive.Content class={styles.dialog}>
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

/** What can be done about it, the thing itself last. */
export function DialogActions(props: ParentProps) {
  return <div class={styles.actions}>{props.children}</div>
}
