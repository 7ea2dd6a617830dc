import { Show } from 'solid-js'
import { Button } from '../../base/button.tsx'
import { countOf, formatCount } from '../../base/format.ts'
import styles from './fix-bar.module.css'
import type { LinkFixes } from './link-fixes.ts'

export interface FixBarProps {
  fixes: LinkFixes
  /** The fixes are for a new archive, and not for this one. */
  isForNewArchive: boolean
  onSubmit: () => void
  /** Discards the corrections. */
  onDiscard: () => void
}

/** A bar at the bottom of the window: how many links are fixed, and what to do with them. */
export function FixBar(props: FixBarProps) {
  return (
    <div class={styles.bar}>
      <div class={styles.text}>
        <p class={styles.count} role="status">
          {summaryOf(props.fixes)}
        </p>
        <Show when={props.isForNewArchive}>
          <p class={styles.hint}>
            Failed and changed links are fetched; all other files are copied. The share link stays the same.
          </p>
        </Show>
      </div>
      <Button variant="ghost" onClick={() => props.onDiscard()}>
        {props.fixes.isEmpty() ? 'Cancel' : 'Discard changes'}
      </Button>
      {/* Of an archive that is not packed yet, the bar at the bottom of the window has the action. */}
      <Show when={props.isForNewArchive}>
        <Button variant="primary" onClick={() => props.onSubmit()}>
          Pack again
        </Button>
      </Show>
    </div>
  )
}

/** "2 links fixed · 1 to retry · 1 left out" */
function summaryOf(fixes: LinkFixes): string {
  const parts = [
    fixes.count() > 0 ? `${countOf(fixes.count(), 'link')} fixed` : [],
    fixes.retryCount() > 0 ? `${formatCount(fixes.retryCount())} to retry` : [],
    fixes.leftOut().size > 0 ? `${formatCount(fixes.leftOut().size)} left out` : [],
  ].flat()
  return parts.length === 0 ? 'No links fixed yet' : parts.join(' · ')
}
