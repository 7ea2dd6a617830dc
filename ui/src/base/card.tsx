import type { ParentProps } from 'solid-js'
import styles from './card.module.css'

/** A surface that holds what belongs together. `class` lays out what is inside. */
export function Card(props: ParentProps<{ class?: string | undefined }>) {
  return <div class={[styles.card, props.class].filter(Boolean).join(' ')}>{props.children}</div>
}
