import { Show } from 'solid-js'
import { Button } from '../../base/button.tsx'
import styles from './fix-bar.module.css'
import type { LinkFixes } from './link-fixes.ts'
import { texts } from './texts.ts'

export interface FixBarProps {
  fixes: LinkFixes
  /** The fixes are for a new archive, and not for this one. */
  isForNewArchive: boolean
  onSubmit: () => void
  /** Discards the corrections. */
  onDiscard: () => void
}

/** A bar at the bottom of the window, shown while there are corrected links that no archive uses yet. */
export function FixBar(props: FixBarProps) {
  const discardLabel = () => (props.fixes.count() === 0 ? texts.cancel : texts.discard)
  return (
    <div class={styles.bar}>
      <div class={styles.text}>
        <p class={styles.count} role="status">
          {texts.fixed(props.fixes.count())}
        </p>
        <Show when={props.isForNewArchive}>
          <p class={styles.hint}>{texts.packAgainHint}</p>
        </Show>
      </div>
      <Button variant="ghost" onClick={() => props.onDiscard()}>
        {discardLabel()}
      </Button>
      <Button variant="primary" onClick={() => props.onSubmit()}>
        {props.isForNewArchive ? texts.packAgain : texts.continue}
      </Button>
    </div>
  )
}
