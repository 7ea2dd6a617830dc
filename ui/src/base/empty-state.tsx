import type { ParentProps } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import styles from './empty-state.module.css'

export interface EmptyStateProps {
  title: string
  text: string
  /** It is all that the page has to say. */
  isPage?: boolean
}

/** Stands where something could be: says what would be there and how it comes about. */
export function EmptyState(props: ParentProps<EmptyStateProps>) {
  return (
    <div class={styles.empty}>
      <Dynamic component={props.isPage ? 'h1' : 'h2'} class={styles.title}>
        {props.title}
      </Dynamic>
      <p class={styles.text}>{props.text}</p>
      {props.children}
    </div>
  )
}
