import type { ParentProps } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import styles from './empty-state.module.css'

export interface EmptyStateProps {
  title: string
  text: string
  /** The empty state is the whole page, so its title is the page's `h1`. */
  isPage?: boolean
}

/** Shown instead of missing content: says what would appear here and how to get it. */
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
