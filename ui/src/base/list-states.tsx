import { For } from 'solid-js'
import { baseCopy } from '../language/english/base.ts'
import { Alert } from './alert.tsx'
import { Button } from './button.tsx'
import styles from './list-states.module.css'

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
export function ListError(props: { text: string; onRetry: () => void }) {
  return (
    <div class={styles.error}>
      <Alert>{props.text}</Alert>
      <Button onClick={() => props.onRetry()}>{baseCopy.tryAgain}</Button>
    </div>
  )
}

/** Few, because many lists are short. */
const SKELETON_ROWS = 3
