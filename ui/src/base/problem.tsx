import CircleAlert from 'lucide-solid/icons/circle-alert'
import type { ParentProps } from 'solid-js'
import styles from './problem.module.css'

/** What is wrong, in a sentence, and read out when it appears. */
export function Problem(props: ParentProps<{ tone?: 'bad' | 'wary' }>) {
  return (
    <div role="alert" class={styles.problem} data-tone={props.tone ?? 'bad'}>
      <CircleAlert size={20} aria-hidden="true" />
      <div class={styles.words}>{props.children}</div>
    </div>
  )
}
