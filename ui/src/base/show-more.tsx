import { Show } from 'solid-js'
import { Button } from './button.tsx'
import styles from './show-more.module.css'

/** A button below a list that loads more of it. */
export function ShowMore(props: { when: boolean; onShowMore: () => void }) {
  return (
    <Show when={props.when}>
      <div class={styles.more}>
        <Button onClick={() => props.onShowMore()}>Show more</Button>
      </div>
    </Show>
  )
}
