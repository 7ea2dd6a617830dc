import { Button } from '../../base/button.tsx'
import { countOf } from '../../base/format.ts'
import styles from './fix-bar.module.css'
import type { LinkFixes } from './link-fixes.ts'

/** A bar at the bottom of the window, shown while there are corrected links that the job doesn't use yet. */
export function FixBar(props: { fixes: LinkFixes; onContinue: () => void }) {
  return (
    <div class={styles.bar}>
      <p class={styles.text} role="status">
        {countOf(props.fixes.count(), 'link')} fixed
      </p>
      <Button variant="ghost" onClick={() => props.fixes.clear()}>
        Discard changes
      </Button>
      <Button variant="primary" onClick={() => props.onContinue()}>
        Continue
      </Button>
    </div>
  )
}
