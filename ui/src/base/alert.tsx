import CircleAlert from 'lucide-solid/icons/circle-alert'
import type { ParentProps } from 'solid-js'
import styles from './alert.module.css'

/** What is wrong, in a sentence, and read out when it appears. */
export function Alert(props: ParentProps<{ tone?: 'danger' | 'warning' }>) {
  return (
    <div role="alert" class={styles.alert} data-tone={props.tone ?? 'danger'}>
      <CircleAlert size={20} aria-hidden="true" />
      <div class={styles.words}>{props.children}</div>
    </div>
  )
}
