import CircleAlert from 'lucide-solid/icons/circle-alert'
import type { ParentProps } from 'solid-js'
import styles from './alert.module.css'

/** An error or a warning. Screen readers announce it when it appears. */
export function Alert(props: ParentProps<{ tone?: 'danger' | 'warning' }>) {
  return (
    <div role="alert" class={styles.alert} data-tone={props.tone ?? 'danger'}>
      <CircleAlert size={20} aria-hidden="true" />
      <div class={styles.message}>{props.children}</div>
    </div>
  )
}
