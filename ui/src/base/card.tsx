import type { ParentProps } from 'solid-js'
import styles from './card.module.css'

/** A surface around related content. `class` lays out the content. */
export function Card(props: ParentProps<{ class?: string | undefined }>) {
  return <div class={[styles.card, props.class].filter(Boolean).join(' ')}>{props.children}</div>
}
