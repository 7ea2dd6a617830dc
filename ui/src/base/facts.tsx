import type { JSX, ParentProps } from 'solid-js'
import styles from './facts.module.css'

/** Names with values, in columns. */
export function Facts(props: ParentProps) {
  return <dl class={styles.facts}>{props.children}</dl>
}

export function Fact(props: ParentProps<{ name: JSX.Element }>) {
  return (
    <div class={styles.fact}>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  )
}
