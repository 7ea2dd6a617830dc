import type { ParentProps } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import styles from './empty-state.module.css'
import type { Message } from './message.ts'
import { MessageText } from './message-text.tsx'

export interface EmptyStateProps {
  title: string
  text: Message
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
      <p class={styles.text}>
        <MessageText message={props.text} />
      </p>
      {props.children}
    </div>
  )
}
