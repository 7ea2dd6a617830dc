import { For } from 'solid-js'
import { baseCopy } from '../language/english/base.ts'
import { Alert } from './alert.tsx'
import { Button } from './button.tsx'
import styles from './list-states.module.css'
import type { Message } from './message.ts'
import { MessageText } from './message-text.tsx'

/** Placeholder rows, shown while a list loads. */
export function ListSkeleton() {
  return (
    <div aria-hidden="true">
      <For each={Array.from({ length: SKELETON_ROWS })}>
        {() => (
          <div class={styles.skeleton}>
            <span class={styles.disc} />
            <span class={styles.lines} />
          </div>
        )}
      </For>
    </div>
  )
}

/** Says why a list could not be loaded. */
export function ListError(props: { message: Message; onRetry: () => void }) {
  return (
    <div class={styles.error}>
      <Alert>
        <MessageText message={props.message} />
      </Alert>
      <Button onClick={() => props.onRetry()}>{baseCopy.tryAgain}</Button>
    </div>
  )
}

/** Few, because many lists are short. */
const SKELETON_ROWS = 3
